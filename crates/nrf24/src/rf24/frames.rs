//! Octets of the frames of a test.

/// Fills `payload` as that of frame `number`: octets that count up from it.
pub fn fill(number: u32, payload: &mut [u8]) {
    payload.iter_mut().enumerate().for_each(|(at, octet)| *octet = (number as u8).wrapping_add(at as u8));
}

/// True if `payload` can be that of a frame of a test: octets that count up.
pub fn is_whole(payload: &[u8]) -> bool {
    payload.windows(2).all(|pair| pair[1] == pair[0].wrapping_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_filled_is_whole_and_no_octet_can_be_another() {
        for number in [0, 7, 250, 1_000] {
            let mut payload = [0; 32];
            fill(number, &mut payload);
            assert!(is_whole(&payload), "frame {number}");
            for at in 0..32 {
                let mut damaged = payload;
                damaged[at] ^= 1;
                assert!(!is_whole(&damaged), "octet {at} of frame {number}");
            }
        }
    }
}
