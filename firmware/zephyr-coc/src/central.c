/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The end that looks for the name, connects, and counts: data length, PHY, MTU, the PSM by GATT, the channel, in the order of
 * crates/app/src/central; then a line each second and the result of the plan's time. When the link ends it looks again.
 */
#include "coc.h"

LOG_MODULE_REGISTER(coc, LOG_LEVEL_INF);

/* A transaction that is not answered in this time has failed. Core 6.0, Vol 3, Part F, 3.3.3, and Part A, 6.2.1. */
#define TRANSACTION K_SECONDS(30)

/* Finished seconds that wait to be said. */
#define SECONDS_KEPT 16

static struct bt_conn *current;
static struct bt_l2cap_le_chan channel;
static bt_addr_le_t peer;
static uint16_t psm;
static bool open;
static uint8_t ended_with;

/* One of them at a time is what the set-up waits for. */
static K_SEM_DEFINE(found, 0, 1);
static K_SEM_DEFINE(linked, 0, 1);
static K_SEM_DEFINE(step, 0, 1);

/* What has arrived on the channel. crates/app/src/meter.rs, crates/app/src/order.rs */
static struct {
	uint64_t sdus, octets;
	int64_t first_us;
	/* Octets of second n at n modulo SECONDS_KEPT. */
	uint32_t seconds[SECONDS_KEPT];
	uint32_t current, said;
	/* The steady state: from the first SDU behind the warm-up, whose own octets were under way before. */
	int64_t steady_first_us, steady_last_us;
	uint64_t steady_octets;
	bool steady;
	/* The next number, and which of the 64 before it came: bit i is set when next - 1 - i did. */
	uint64_t next, came;
	uint64_t lost, duplicated, reordered;
	bool result;
} arrived;

static struct k_spinlock lock;

/* Takes the low bits of a number, those in mask. */
static void take_number(uint64_t number, uint64_t mask)
{
	uint64_t ahead = (number - arrived.next) & mask;

	if (ahead <= mask >> 1) {
		arrived.lost += ahead;
		arrived.next += ahead + 1;
		arrived.came = ahead < 63 ? arrived.came << (ahead + 1) | 1 : 1;
		return;
	}
	uint64_t behind = (arrived.next - 1 - number) & mask;

	if (behind < 64 && (arrived.came & BIT64(behind)) == 0 && arrived.lost > 0) {
		arrived.came |= BIT64(behind);
		arrived.lost--;
		arrived.reordered++;
	} else {
		arrived.duplicated++;
	}
}

/* Moves on to the second that now is in. */
static void roll(int64_t now)
{
	uint32_t second = (uint32_t)((now - arrived.first_us) / 1000000);

	while (arrived.current < second) {
		arrived.current++;
		arrived.seconds[arrived.current % SECONDS_KEPT] = 0;
	}
}

/* An SDU of len octets that begins with head has arrived. */
static void take_sdu(const uint8_t head[SEQUENCE_OCTETS], size_t len)
{
	int64_t now = now_us();
	k_spinlock_key_t key = k_spin_lock(&lock);

	if (arrived.sdus++ == 0) {
		arrived.first_us = now;
	}
	arrived.octets += len;
	roll(now);
	arrived.seconds[arrived.current % SECONDS_KEPT] += len;
	if (len > 0) {
		uint64_t mask = len >= SEQUENCE_OCTETS ? UINT64_MAX : BIT64_MASK(8 * len);

		take_number(sys_get_le64(head) & mask, mask);
	}
	if (now - arrived.first_us >= CONFIG_AIRTIME_WARMUP_S * 1000000LL) {
		if (arrived.steady) {
			arrived.steady_octets += len;
		} else {
			arrived.steady_first_us = now;
			arrived.steady = true;
		}
		arrived.steady_last_us = now;
	}
	k_spin_unlock(&lock, key);
}

/* The channel. */

static void channel_connected(struct bt_l2cap_chan *chan)
{
	struct bt_l2cap_le_chan *le = BT_L2CAP_LE_CHAN(chan);

	LOG_INF("conn %u channel 0x%04x open, peer's MTU %u MPS %u", bt_conn_index(chan->conn), le->tx.cid, le->tx.mtu, le->tx.mps);
	open = true;
	k_sem_give(&step);
#if defined(CONFIG_BT_L2CAP_SEG_RECV)
	bt_l2cap_chan_give_credits(chan, CONFIG_AIRTIME_CREDITS);
#endif
}

static void channel_disconnected(struct bt_l2cap_chan *chan)
{
	LOG_WRN("channel 0x%04x closed", BT_L2CAP_LE_CHAN(chan)->tx.cid);
	open = false;
	k_sem_give(&step);
}

#if defined(CONFIG_BT_L2CAP_SEG_RECV)

/* K-frames come as they arrive, and each gives its credit back at once. */
static void channel_seg_recv(struct bt_l2cap_chan *chan, size_t sdu_len, off_t at, struct net_buf_simple *segment)
{
	static uint8_t head[SEQUENCE_OCTETS];

	if (at < SEQUENCE_OCTETS) {
		memcpy(head + at, segment->data, MIN(segment->len, SEQUENCE_OCTETS - at));
	}
	if (at + segment->len == sdu_len) {
		take_sdu(head, sdu_len);
	}
	bt_l2cap_chan_give_credits(chan, 1);
}

static const struct bt_l2cap_chan_ops operations = {
	.connected = channel_connected,
	.disconnected = channel_disconnected,
	.seg_recv = channel_seg_recv,
};

static void prepare(void)
{
	channel.rx.mps = BT_L2CAP_RX_MTU;
	bt_l2cap_chan_give_credits(&channel.chan, CONFIG_AIRTIME_CREDITS);
}

#else

/* The host puts SDUs together here, and gives credits as it does by itself. */
NET_BUF_POOL_FIXED_DEFINE(sdus, 2, BT_L2CAP_SDU_BUF_SIZE(CONFIG_AIRTIME_MTU), USER_DATA_OCTETS, NULL);

static struct net_buf *channel_alloc_buf(struct bt_l2cap_chan *chan)
{
	return net_buf_alloc(&sdus, K_FOREVER);
}

static int channel_recv(struct bt_l2cap_chan *chan, struct net_buf *buf)
{
	uint8_t head[SEQUENCE_OCTETS] = { 0 };

	net_buf_linearize(head, sizeof(head), buf, 0, sizeof(head));
	take_sdu(head, net_buf_frags_len(buf));
	return 0;
}

static const struct bt_l2cap_chan_ops operations = {
	.connected = channel_connected,
	.disconnected = channel_disconnected,
	.alloc_buf = channel_alloc_buf,
	.recv = channel_recv,
};

static void prepare(void)
{
}

#endif

/* Scanning and connections. */

static bool is_the_name(struct bt_data *data, void *is)
{
	const size_t len = sizeof(CONFIG_BT_DEVICE_NAME) - 1;

	if (data->type == BT_DATA_NAME_COMPLETE && data->data_len == len && memcmp(data->data, CONFIG_BT_DEVICE_NAME, len) == 0) {
		*(bool *)is = true;
	}
	return true;
}

static void heard(const bt_addr_le_t *address, int8_t rssi, uint8_t type, struct net_buf_simple *octets)
{
	bool is = false;

	bt_data_parse(octets, is_the_name, &is);
	if (is && k_sem_count_get(&found) == 0) {
		bt_addr_le_copy(&peer, address);
		k_sem_give(&found);
	}
}

static void connected(struct bt_conn *conn, uint8_t error)
{
	ended_with = error;
	if (error == 0) {
		LOG_INF("conn %u connected, interval %u us", bt_conn_index(conn), interval_us(conn));
	}
	k_sem_give(&linked);
}

static void disconnected(struct bt_conn *conn, uint8_t reason)
{
	LOG_WRN("conn %u disconnected, reason 0x%02x", bt_conn_index(conn), reason);
	ended_with = reason;
	k_sem_give(&linked);
	k_sem_give(&step);
}

static void interval_updated(struct bt_conn *conn, uint16_t interval, uint16_t latency, uint16_t timeout)
{
	LOG_INF("conn %u interval %u us, status 0x00", bt_conn_index(conn), interval * 1250U);
}

static void data_length_updated(struct bt_conn *conn, struct bt_conn_le_data_len_info *info)
{
	LOG_INF("conn %u data length out %u in %u", bt_conn_index(conn), info->tx_max_len, info->rx_max_len);
	k_sem_give(&step);
}

static void phy_updated(struct bt_conn *conn, struct bt_conn_le_phy_info *info)
{
	LOG_INF("conn %u PHY out %s", bt_conn_index(conn), phy_name(info->tx_phy));
	k_sem_give(&step);
}

BT_CONN_CB_DEFINE(connections) = {
	.connected = connected,
	.disconnected = disconnected,
	.le_param_updated = interval_updated,
	.le_data_len_updated = data_length_updated,
	.le_phy_updated = phy_updated,
};

/* The set-up, step by step. */

static void mtu_exchanged(struct bt_conn *conn, uint8_t error, struct bt_gatt_exchange_params *parameters)
{
	k_sem_give(&step);
}

static uint8_t psm_read(struct bt_conn *conn, uint8_t error, struct bt_gatt_read_params *parameters, const void *value, uint16_t len)
{
	if (error == 0 && value != NULL && len == sizeof(psm)) {
		psm = sys_get_le16(value);
	}
	k_sem_give(&step);
	return BT_GATT_ITER_STOP;
}

/* Waits for what ends the step that was asked for without error. True while the link stands, and the step has ended or may be missed. */
static bool follow(const char *name, int error, k_timeout_t timeout, bool can_be_missed)
{
	if (error != 0 && error != -EALREADY) {
		LOG_WRN("not carried out: %s, error %d", name, error);
	}
	bool ended = error == -EALREADY || (error == 0 && k_sem_take(&step, timeout) == 0);

	if (ended_with != 0) {
		return false;
	}
	if (!ended && !can_be_missed) {
		LOG_WRN("link 0 ended: %s was not answered", name);
	}
	return ended || can_be_missed;
}

static int open_channel(void)
{
	memset(&channel, 0, sizeof(channel));
	channel.chan.ops = &operations;
	channel.rx.mtu = CONFIG_AIRTIME_MTU;
	prepare();
	return bt_l2cap_chan_connect(current, &channel.chan, psm);
}

static bool set_up(void)
{
	static struct bt_gatt_exchange_params exchange = { .func = mtu_exchanged };
	static struct bt_uuid_128 uuid = BT_UUID_INIT_128(PSM_UUID);
	static struct bt_gatt_read_params read;
	k_timeout_t procedure = patience(interval_us(current));

	read = (struct bt_gatt_read_params){
		.func = psm_read,
		.by_uuid = { .start_handle = 0x0001, .end_handle = 0xffff, .uuid = &uuid.uuid },
	};
	psm = 0;
	open = false;
	k_sem_reset(&step);
	if (!follow("data length", bt_conn_le_data_len_update(current, BT_LE_DATA_LEN_PARAM_MAX), procedure, true)) {
		return false;
	}
	k_sem_reset(&step);
	if (!follow("PHY", bt_conn_le_phy_update(current, BT_CONN_LE_PHY_PARAM_2M), procedure, true)) {
		return false;
	}
	k_sem_reset(&step);
	if (!follow("MTU exchange", bt_gatt_exchange_mtu(current, &exchange), TRANSACTION, false) ||
	    !follow("discovery", bt_gatt_read(current, &read), TRANSACTION, false)) {
		return false;
	}
	if (psm == 0) {
		LOG_WRN("link 0 ended: the peripheral has no test service");
		return false;
	}
	if (!follow("channels", open_channel(), TRANSACTION, false)) {
		return false;
	}
	if (!open) {
		LOG_WRN("link 0 ended: the peripheral refused the channel");
	}
	return open;
}

static bool look_for_it(void)
{
	const struct bt_le_scan_param *parameters =
		BT_LE_SCAN_PARAM(BT_LE_SCAN_TYPE_ACTIVE, BT_LE_SCAN_OPT_NONE, BT_GAP_SCAN_FAST_INTERVAL, BT_GAP_SCAN_FAST_INTERVAL);

	k_sem_reset(&found);
	int error = bt_le_scan_start(parameters, heard);

	if (error != 0) {
		LOG_ERR("no scan, error %d", error);
		k_sleep(K_SECONDS(1));
		return false;
	}
	bool is = k_sem_take(&found, K_SECONDS(CONFIG_AIRTIME_SCAN_TIMEOUT_S)) == 0;

	bt_le_scan_stop();
	if (!is) {
		LOG_WRN("nobody with that name");
	}
	return is;
}

static bool connect(void)
{
	const struct bt_conn_le_create_param *create =
		BT_CONN_LE_CREATE_PARAM(BT_CONN_LE_OPT_NONE, BT_GAP_SCAN_FAST_INTERVAL, BT_GAP_SCAN_FAST_INTERVAL);
	const uint16_t units = CONFIG_AIRTIME_CONN_INTERVAL_US / 1250;
	/* A supervision timeout of 4 s, as a plan has it. */
	const struct bt_le_conn_param *parameters = BT_LE_CONN_PARAM(units, units, 0, 400);

	k_sem_reset(&linked);
	int error = bt_conn_le_create(&peer, create, parameters, &current);

	if (error != 0) {
		LOG_WRN("not carried out: connection, error %d", error);
		k_sleep(K_SECONDS(1));
		return false;
	}
	k_sem_take(&linked, K_FOREVER);
	if (ended_with != 0) {
		LOG_WRN("link 0 ended: no connection was established (0x%02X)", ended_with);
	}
	return ended_with == 0;
}

/* Figures. */

static void say_seconds(void)
{
	for (;;) {
		k_spinlock_key_t key = k_spin_lock(&lock);

		if (arrived.sdus > 0) {
			roll(now_us());
		}
		uint32_t second = arrived.said;
		bool is = second < arrived.current;
		uint64_t bits = 8 * (uint64_t)arrived.seconds[second % SECONDS_KEPT];

		arrived.said += is;
		k_spin_unlock(&lock, key);
		if (!is) {
			return;
		}
		LOG_INF("link 0 second %u: %u.%u kbps delivered", second, kilobits(bits), tenths(bits));
	}
}

static void say_result(void)
{
	k_spinlock_key_t key = k_spin_lock(&lock);
	/* The plan's time is over, or the link. */
	bool ended = ended_with != 0 || !open || now_us() - arrived.first_us >= CONFIG_AIRTIME_DURATION_S * 1000000LL;
	bool over = arrived.sdus > 0 && ended;
	bool is = over && !arrived.result;
	int64_t time = arrived.steady_last_us - arrived.steady_first_us;
	uint64_t rate = time > 0 ? arrived.steady_octets * 8 * 1000000 / (uint64_t)time : 0;
	uint64_t octets = arrived.octets, sdus = arrived.sdus;
	uint64_t lost = arrived.lost, duplicated = arrived.duplicated, reordered = arrived.reordered;

	arrived.result |= over;
	k_spin_unlock(&lock, key);
	if (is) {
		LOG_INF("link 0 RESULT goodput_kbps %u.%u delivered_bytes %llu sdus %llu lost %llu duplicated %llu reordered %llu",
			kilobits(rate), tenths(rate), octets, sdus, lost, duplicated, reordered);
	}
}

static void count(void)
{
	while (ended_with == 0 && open) {
		k_sem_take(&linked, K_SECONDS(1));
		say_seconds();
		say_result();
	}
}

static void run(void *a, void *b, void *c)
{
	LOG_BEGIN("central");
	int error = bt_enable(NULL);

	if (error != 0) {
		LOG_ERR("the host has not started, error %d", error);
		return;
	}
	LOG_INF("host ready");
	for (;;) {
		if (!look_for_it()) {
			continue;
		}
		char text[BT_ADDR_LE_STR_LEN];

		bt_addr_le_to_str(&peer, text, sizeof(text));
		LOG_INF("found %s", text);
		memset(&arrived, 0, sizeof(arrived));
		bool is = connect();

		if (is && set_up()) {
			count();
		}
		if (is && ended_with == 0) {
			bt_conn_disconnect(current, BT_HCI_ERR_REMOTE_USER_TERM_CONN);
			while (ended_with == 0) {
				k_sem_take(&linked, K_SECONDS(1));
			}
		} else if (is) {
			LOG_WRN("link 0 ended: the connection ended (0x%02X)", ended_with);
		}
		if (current != NULL) {
			bt_conn_unref(current);
			current = NULL;
		}
	}
}

/* Below the host's threads, as an application is. Not main, whose type changed between v3.2 and v3.3. */
K_THREAD_DEFINE(runs, 2048, run, NULL, NULL, NULL, 5, 0, 0);
