/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What both ends have: the test service, the octets of an SDU, the clock, the words of the log. All of it is as crates/app, the
 * laboratory's hosts and firmware/coc have it, so that `airtime hw log` reads it.
 */
#ifndef AIRTIME_COC_H
#define AIRTIME_COC_H

#include <stdint.h>
#include <string.h>

#include <zephyr/kernel.h>
#include <zephyr/bluetooth/bluetooth.h>
#include <zephyr/bluetooth/conn.h>
#include <zephyr/bluetooth/gatt.h>
#include <zephyr/bluetooth/l2cap.h>
#include <zephyr/bluetooth/uuid.h>
#include <zephyr/logging/log.h>
#include <zephyr/sys/byteorder.h>

/* The test service, and the PSM in it: two octets, little endian. crates/ble/src/host/att/database.rs */
#define TEST_SERVICE_UUID BT_UUID_128_ENCODE(0x8d5f0001, 0x4c5e, 0x4a7b, 0x9f3a, 0x61697274696d)
#define PSM_UUID BT_UUID_128_ENCODE(0x8d5f0002, 0x4c5e, 0x4a7b, 0x9f3a, 0x61697274696d)

/* Octets of the number that an SDU begins with; behind it each octet is the low octet of its place. crates/app/src/payload.rs */
#define SEQUENCE_OCTETS 8

/* LL payload of a connection whose data length was never updated. Core 6.0, Vol 6, Part B, 4.5.10. */
#define DATA_OCTETS_MIN 27

/* Room that the host wants in each buffer for notes of its own: a symbol of later trees, sizeof(struct tx_meta) in v3.2's conn.c. */
#if defined(CONFIG_BT_CONN_TX_USER_DATA_SIZE)
#define USER_DATA_OCTETS CONFIG_BT_CONN_TX_USER_DATA_SIZE
#else
#define USER_DATA_OCTETS 8
#endif

/* Time since start. */
static inline int64_t now_us(void)
{
	return (int64_t)k_ticks_to_us_floor64(k_uptime_ticks());
}

/*
 * Time to wait for a link layer procedure that may end without an event, as a data length update does that changes nothing: 2 s
 * and 20 anchors. crates/app/src/link.rs
 */
static inline k_timeout_t patience(uint32_t interval_us)
{
	return K_USEC(2000000 + 20 * (uint64_t)interval_us);
}

/* Kilobits of so many bits, and their tenths, for a format with "%u.%u". */
static inline uint32_t kilobits(uint64_t bits)
{
	return (uint32_t)(bits / 1000);
}

static inline uint32_t tenths(uint64_t bits)
{
	return (uint32_t)(bits % 1000 / 100);
}

static inline const char *phy_name(uint8_t phy)
{
	switch (phy) {
	case BT_GAP_LE_PHY_1M:
		return "Le1M";
	case BT_GAP_LE_PHY_2M:
		return "Le2M";
	default:
		return "LeCoded";
	}
}

/* Connection interval of a connection in microseconds, or zero when it is gone. */
static inline uint32_t interval_us(struct bt_conn *conn)
{
	struct bt_conn_info info;

	return bt_conn_get_info(conn, &info) == 0 ? info.le.interval * 1250U : 0;
}

/* First lines of the log: what was built in, and the command that predicts it. */
#define LOG_BEGIN(role)                                                                                                   \
	do {                                                                                                              \
		LOG_INF("airtime " role " of plan " CONFIG_AIRTIME_PLAN ", Zephyr");                                       \
		LOG_INF("replay: airtime run firmware/zephyr-coc/bench.toml --set coc.sdu=%d --set coc.in_flight=%d "     \
			"--set coc.mtu=%d --set ble.conn_interval=%dus",                                                  \
			CONFIG_AIRTIME_SDU, CONFIG_AIRTIME_IN_FLIGHT, CONFIG_AIRTIME_MTU,                                 \
			CONFIG_AIRTIME_CONN_INTERVAL_US);                                                                 \
	} while (0)

#endif
