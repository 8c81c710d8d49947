//! Queue of a connection, as calls add to it (`tcp_write`, `tcp_close`; src/core/tcp_out.c).

use super::{Pcb, Queued, State};

impl Pcb {
    /// Buffers a stream may hold: the default of lwIP (src/include/lwip/opt.h, `TCP_SND_QUEUELEN`), which ESP-IDF leaves.
    fn max_queuelen(&self) -> u16 {
        let mss = u32::from(self.config.mss);
        (4 * self.config.snd_buf).div_ceil(mss).min(0xffff - 3) as u16
    }

    pub(super) fn queue_is_full(&self) -> bool {
        self.snd_queuelen >= self.max_queuelen()
    }

    /// Queues up to `len` octets of the stream; says how many had room. `more` is set when the call has not given all yet
    /// (`TCP_WRITE_FLAG_MORE`).
    pub fn write(&mut self, len: usize, more: bool) -> usize {
        if self.state != State::Established || self.fin_queued {
            return 0;
        }
        let len = len.min(self.snd_buf as usize).min(0xffff);
        if len == 0 {
            return 0;
        }
        if self.queue_is_full() {
            self.nagle_memerr = true;
            return 0;
        }
        // At most half of the largest window the peer has ever announced (`tcp_write`).
        let mss_local = self.mss.min((self.snd_wnd_max / 2).min(0xffff) as u16);
        let mss_local = if mss_local == 0 { self.mss } else { mss_local };
        let mut left = len;
        if let Some(last) = self.unsent.back_mut()
            && last.len > 0
            && !last.fin
        {
            let used = left.min(usize::from(mss_local.saturating_sub(last.len)));
            last.len += used as u16;
            if used > 0 && !last.oversized {
                last.pbufs += 1;
                self.snd_queuelen += 1;
            }
            left -= used;
            self.snd_lbb = self.snd_lbb.wrapping_add(used as u32);
        }
        let first = self.is_idle();
        while left > 0 && !self.queue_is_full() {
            // `tcp_pbuf_prealloc` (TCP_OVERSIZE = TCP_MSS): room for more when more is expected before the segment leaves.
            let oversized = more || (!self.nodelay && !first);
            let seg = left.min(usize::from(mss_local));
            self.unsent.push_back(Queued {
                seq: self.snd_lbb,
                len: seg as u16,
                syn: false,
                fin: false,
                pbufs: 1,
                oversized,
                sent: false,
            });
            self.snd_queuelen += 1;
            self.snd_lbb = self.snd_lbb.wrapping_add(seg as u32);
            left -= seg;
        }
        let taken = len - left;
        self.snd_buf -= taken as u32;
        self.output = true;
        taken
    }

    /// Closes the sending direction (`tcp_send_fin`): the FIN goes with the last segment that has not left.
    pub fn close(&mut self) {
        if self.fin_queued || self.state == State::Closed {
            return;
        }
        self.fin_queued = true;
        match self.unsent.back_mut() {
            Some(last) if !last.syn => last.fin = true,
            _ => {
                let fin = Queued {
                    seq: self.snd_lbb,
                    len: 0,
                    syn: false,
                    fin: true,
                    pbufs: 1,
                    oversized: false,
                    sent: false,
                };
                self.unsent.push_back(fin);
                self.snd_queuelen += 1;
            }
        }
        self.snd_lbb = self.snd_lbb.wrapping_add(1);
        self.output = true;
    }
}
