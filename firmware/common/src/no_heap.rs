//! The heap this image does not have.
//!
//! `airtime-core` has types with an allocation, so the linker wants an allocator; the application uses
//! none of them. An image in which anything could allocate does not link: the function below does not exist.
#![allow(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait; what it calls does not exist")]

use core::alloc::{GlobalAlloc, Layout};

unsafe extern "C" {
    /// Named for the linker's message.
    safe fn airtime_firmware_must_not_allocate(octets: usize) -> *mut u8;
}

struct NoHeap;

// SAFETY: an image that could call either method does not link, so neither breaks what the trait promises.
unsafe impl GlobalAlloc for NoHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        airtime_firmware_must_not_allocate(layout.size())
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static NO_HEAP: NoHeap = NoHeap;
