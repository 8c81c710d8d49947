/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The end that advertises and streams: it takes one connection at a time and sends numbered SDUs on its channel as fast as
 * they go, so many under way at once. The stream waits for a data length above 27 octets, or for as long as that may take.
 */
#include "coc.h"

#include <zephyr/sys/reboot.h>

LOG_MODULE_REGISTER(coc, LOG_LEVEL_INF);

NET_BUF_POOL_FIXED_DEFINE(sdus, CONFIG_AIRTIME_IN_FLIGHT, BT_L2CAP_SDU_BUF_SIZE(CONFIG_AIRTIME_SDU), USER_DATA_OCTETS, NULL);

static struct bt_conn *current;
static struct bt_l2cap_le_chan channel;
static bool opened, settled, streaming;
static K_SEM_DEFINE(places, 0, CONFIG_AIRTIME_IN_FLIGHT);
static uint64_t sequence;
static atomic_t submitted;

/* Retried while the host still holds the last connection's object: newer trees say when, v3.2 does not. */
#define ADVERTISE_AGAIN K_MSEC(100)

static void advertise(struct k_work *work);
static K_WORK_DELAYABLE_DEFINE(advertising, advertise);
static void ask(struct k_work *work);
static K_WORK_DEFINE(asking, ask);
static void settle(struct k_work *work);
static K_WORK_DELAYABLE_DEFINE(settling, settle);

/* Lets the stream flow once there is a channel and the data length stands. */
static void open_gate(void)
{
	if (!opened || !settled || streaming) {
		return;
	}
	streaming = true;
	for (int place = 0; place < CONFIG_AIRTIME_IN_FLIGHT; place++) {
		k_sem_give(&places);
	}
}

static void close_gate(void)
{
	opened = false;
	streaming = false;
	k_sem_reset(&places);
}

/* The channel. */

static void channel_connected(struct bt_l2cap_chan *chan)
{
	struct bt_l2cap_le_chan *le = BT_L2CAP_LE_CHAN(chan);

	LOG_INF("conn %u channel 0x%04x open, peer's MTU %u MPS %u", bt_conn_index(chan->conn), le->tx.cid, le->tx.mtu, le->tx.mps);
	sequence = 0;
	atomic_set(&submitted, 0);
	opened = true;
	open_gate();
}

static void channel_disconnected(struct bt_l2cap_chan *chan)
{
	LOG_WRN("channel 0x%04x closed", BT_L2CAP_LE_CHAN(chan)->tx.cid);
	close_gate();
}

/* Nobody streams to this end; what comes all the same is taken and dropped. */
static int channel_recv(struct bt_l2cap_chan *chan, struct net_buf *buf)
{
	return 0;
}

static void channel_sent(struct bt_l2cap_chan *chan)
{
	k_sem_give(&places);
}

static const struct bt_l2cap_chan_ops operations = {
	.connected = channel_connected,
	.disconnected = channel_disconnected,
	.recv = channel_recv,
	.sent = channel_sent,
};

static int take(struct bt_l2cap_chan **chan)
{
	if (opened) {
		return -ENOMEM;
	}
	memset(&channel, 0, sizeof(channel));
	channel.chan.ops = &operations;
	*chan = &channel.chan;
	return 0;
}

/* v3.2 does not say which server is asked, later trees do: the type of the member chooses. */
static int __maybe_unused accept_only(struct bt_conn *conn, struct bt_l2cap_chan **chan)
{
	return take(chan);
}

static int __maybe_unused accept_of(struct bt_conn *conn, struct bt_l2cap_server *server, struct bt_l2cap_chan **chan)
{
	return take(chan);
}

typedef int (*accept_of_t)(struct bt_conn *, struct bt_l2cap_server *, struct bt_l2cap_chan **);

static struct bt_l2cap_server server = {
	.psm = CONFIG_AIRTIME_PSM,
	.sec_level = BT_SECURITY_L1,
	.accept = _Generic(((struct bt_l2cap_server *)0)->accept, accept_of_t: accept_of, default: accept_only),
};

/* The test service. */

static ssize_t read_psm(struct bt_conn *conn, const struct bt_gatt_attr *attr, void *buf, uint16_t len, uint16_t offset)
{
	uint16_t psm = sys_cpu_to_le16(server.psm);

	return bt_gatt_attr_read(conn, attr, buf, len, offset, &psm, sizeof(psm));
}

BT_GATT_SERVICE_DEFINE(test_service,
	BT_GATT_PRIMARY_SERVICE(BT_UUID_DECLARE_128(TEST_SERVICE_UUID)),
	BT_GATT_CHARACTERISTIC(BT_UUID_DECLARE_128(PSM_UUID), BT_GATT_CHRC_READ, BT_GATT_PERM_READ, read_psm, NULL, NULL),
);

/* Advertising and connections. */

static const struct bt_data flags[] = {
	BT_DATA_BYTES(BT_DATA_FLAGS, BT_LE_AD_GENERAL | BT_LE_AD_NO_BREDR),
};

static const struct bt_data name[] = {
	BT_DATA(BT_DATA_NAME_COMPLETE, CONFIG_BT_DEVICE_NAME, sizeof(CONFIG_BT_DEVICE_NAME) - 1),
};

static void advertise(struct k_work *work)
{
#if defined(BT_LE_ADV_CONN_FAST_2)
	const struct bt_le_adv_param *parameters = BT_LE_ADV_CONN_FAST_2;
#else
	/* The same 100 to 150 ms, and not again by itself, as later trees have it. */
	const struct bt_le_adv_param *parameters = BT_LE_ADV_PARAM(BT_LE_ADV_OPT_CONNECTABLE | BT_LE_ADV_OPT_ONE_TIME,
								   BT_GAP_ADV_FAST_INT_MIN_2, BT_GAP_ADV_FAST_INT_MAX_2, NULL);
#endif
	int error = bt_le_adv_start(parameters, flags, ARRAY_SIZE(flags), name, ARRAY_SIZE(name));

	if (error == 0) {
		LOG_INF("advertising as " CONFIG_BT_DEVICE_NAME);
	} else if (error != -EALREADY) {
		k_work_schedule(&advertising, ADVERTISE_AGAIN);
	}
}

/* Each end asks for itself: v3.2's link layer answers with what its own host asked for. */
static void ask(struct k_work *work)
{
	int error = current == NULL ? 0 : bt_conn_le_data_len_update(current, BT_LE_DATA_LEN_PARAM_MAX);

	if (error != 0 && error != -EALREADY) {
		LOG_WRN("not carried out: data length, error %d", error);
	}
}

static void settle(struct k_work *work)
{
	settled = true;
	open_gate();
}

static void connected(struct bt_conn *conn, uint8_t error)
{
	if (error != 0 || current != NULL) {
		return;
	}
	uint32_t interval = interval_us(conn);

	LOG_INF("conn %u connected, interval %u us", bt_conn_index(conn), interval);
	current = bt_conn_ref(conn);
	settled = false;
	k_work_submit(&asking);
	k_work_reschedule(&settling, patience(interval));
}

static void disconnected(struct bt_conn *conn, uint8_t reason)
{
	LOG_WRN("conn %u disconnected, reason 0x%02x", bt_conn_index(conn), reason);
	if (conn != current) {
		return;
	}
	close_gate();
	k_work_cancel_delayable(&settling);
	bt_conn_unref(current);
	current = NULL;
	k_work_schedule(&advertising, K_NO_WAIT);
}

static void interval_updated(struct bt_conn *conn, uint16_t interval, uint16_t latency, uint16_t timeout)
{
	LOG_INF("conn %u interval %u us, status 0x00", bt_conn_index(conn), interval * 1250U);
}

static void data_length_updated(struct bt_conn *conn, struct bt_conn_le_data_len_info *info)
{
	LOG_INF("conn %u data length out %u in %u", bt_conn_index(conn), info->tx_max_len, info->rx_max_len);
	if (info->tx_max_len > DATA_OCTETS_MIN) {
		settled = true;
		open_gate();
	}
}

static void phy_updated(struct bt_conn *conn, struct bt_conn_le_phy_info *info)
{
	LOG_INF("conn %u PHY out %s", bt_conn_index(conn), phy_name(info->tx_phy));
}

BT_CONN_CB_DEFINE(connections) = {
	.connected = connected,
	.disconnected = disconnected,
	.le_param_updated = interval_updated,
	.le_data_len_updated = data_length_updated,
	.le_phy_updated = phy_updated,
};

/* The stream. */

static void fill(struct net_buf *buf, uint64_t number, uint16_t len)
{
	uint8_t head[SEQUENCE_OCTETS];
	uint8_t *octets = net_buf_add(buf, len);

	for (uint16_t at = 0; at < len; at++) {
		octets[at] = (uint8_t)at;
	}
	sys_put_le64(number, head);
	memcpy(octets, head, MIN(len, SEQUENCE_OCTETS));
}

/*
 * The host has no room for an SDU, though it has contexts for all that are under way: v3.2 never takes back those that waited in a channel
 * when its link ended (l2cap.c, l2cap_chan_destroy and free_tx_meta_data). What is left is another figure, so a restart is all that helps.
 */
static void refused(void)
{
	if (CONFIG_AIRTIME_IN_FLIGHT > CONFIG_BT_CONN_TX_MAX) {
		k_sleep(K_MSEC(1));
		return;
	}
	LOG_ERR("the host has lost contexts for SDUs: the board restarts");
	k_sleep(K_SECONDS(1));
#if defined(CONFIG_REBOOT)
	sys_reboot(SYS_REBOOT_COLD);
#endif
}

static void stream(void *a, void *b, void *c)
{
	for (;;) {
		/* A place that came from a stream that has ended is none. */
		if (k_sem_take(&places, K_FOREVER) != 0 || !streaming) {
			continue;
		}
		struct net_buf *buf = net_buf_alloc(&sdus, K_FOREVER);
		uint16_t len = MIN(CONFIG_AIRTIME_SDU, channel.tx.mtu);

		net_buf_reserve(buf, BT_L2CAP_SDU_CHAN_SEND_RESERVE);
		fill(buf, sequence, len);
		int error = bt_l2cap_chan_send(&channel.chan, buf);

		if (error >= 0) {
			sequence++;
			atomic_add(&submitted, len);
			continue;
		}
		net_buf_unref(buf);
		if (error == -ENOBUFS) {
			refused();
			k_sem_give(&places);
		} else if (error == -EAGAIN) {
			k_sleep(K_MSEC(1));
			k_sem_give(&places);
		}
	}
}

static void run(void *a, void *b, void *c)
{
	LOG_BEGIN("peripheral");
	int error = bt_enable(NULL);

	if (error == 0) {
		error = bt_l2cap_server_register(&server);
	}
	if (error != 0) {
		LOG_ERR("the host has not started, error %d", error);
		return;
	}
	LOG_INF("host ready");
	k_work_schedule(&advertising, K_NO_WAIT);

	for (uint32_t before = 0;;) {
		k_sleep(K_SECONDS(1));
		uint32_t octets = atomic_get(&submitted);
		uint64_t bits = 8 * (uint64_t)(octets < before ? octets : octets - before);

		before = octets;
		if (streaming && octets > 0) {
			LOG_INF("link 0 this second: %u.%u kbps accepted", kilobits(bits), tenths(bits));
		}
	}
}

/* Below the host's threads, as an application is. Not main, whose type changed between v3.2 and v3.3. */
K_THREAD_DEFINE(streams, 2048, stream, NULL, NULL, NULL, 5, 0, 0);
K_THREAD_DEFINE(runs, 2048, run, NULL, NULL, NULL, 6, 0, 0);
