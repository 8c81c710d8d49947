//! The host: GAP, ATT/GATT and L2CAP over H4 bytes, and the CPU they run on.
