//! Every message that both sides know, by its number.
//!
//! A reply has the number of its request and 256. Numbers 305 to 310 and 317 (promiscuous mode and raw frames) are declared in
//! the file and implemented nowhere, which is why raw frames go over custom messages.

use super::proto::*;

/// Makes the three enums, and the protobuf message whose payload field has the number of the message.
macro_rules! catalogue {
    (
        requests { $($(#[$req_doc:meta])* $req:ident($req_type:ident) = $req_id:tt,)* }
        responses { $($(#[$resp_doc:meta])* $resp:ident($resp_type:ident) = $resp_id:tt,)* }
        events { $($(#[$event_doc:meta])* $event:ident($event_type:ident) = $event_id:tt,)* }
    ) => {
        /// What the host asks.
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Request {
            $($(#[$req_doc])* #[prost(message, tag = $req_id)] $req($req_type),)*
        }

        impl Request {
            /// Numbers of all requests.
            pub const IDS: &[u32] = &[$($req_id),*];

            /// Its number.
            pub const fn id(&self) -> u32 {
                match self {
                    $(Self::$req(_) => $req_id,)*
                }
            }

            /// The request of number `id` with nothing but defaults: many have no arguments, and go without payload.
            pub fn of(id: u32) -> Option<Self> {
                match id {
                    $($req_id => Some(Self::$req(Default::default())),)*
                    _ => None,
                }
            }
        }

        /// What the co-processor answers.
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Response {
            $($(#[$resp_doc])* #[prost(message, tag = $resp_id)] $resp($resp_type),)*
        }

        impl Response {
            /// Numbers of all replies.
            pub const IDS: &[u32] = &[$($resp_id),*];

            /// Its number, that of the request and 256.
            pub const fn id(&self) -> u32 {
                match self {
                    $(Self::$resp(_) => $resp_id,)*
                }
            }

            /// What it says of the request: 0, or why not.
            pub const fn status(&self) -> i32 {
                match self {
                    $(Self::$resp(reply) => reply.resp,)*
                }
            }

            /// The reply of number `id` that says `status` and no more.
            pub fn of(id: u32, status: i32) -> Option<Self> {
                match id {
                    $($resp_id => {
                        let mut reply = $resp_type::default();
                        reply.resp = status;
                        Some(Self::$resp(reply))
                    })*
                    _ => None,
                }
            }
        }

        /// What the co-processor says unasked.
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Event {
            $($(#[$event_doc])* #[prost(message, tag = $event_id)] $event($event_type),)*
        }

        impl Event {
            /// Numbers of all events.
            pub const IDS: &[u32] = &[$($event_id),*];

            /// Its number.
            pub const fn id(&self) -> u32 {
                match self {
                    $(Self::$event(_) => $event_id,)*
                }
            }

            /// The event of number `id` with nothing but defaults.
            pub fn of(id: u32) -> Option<Self> {
                match id {
                    $($event_id => Some(Self::$event(Default::default())),)*
                    _ => None,
                }
            }
        }

        /// The message around them all.
        #[derive(Clone, PartialEq, prost::Message)]
        pub(super) struct Rpc {
            #[prost(int32, tag = "1")]
            pub msg_type: i32,
            #[prost(uint32, tag = "2")]
            pub msg_id: u32,
            #[prost(uint32, tag = "3")]
            pub uid: u32,
            #[prost(oneof = "Request", tags($($req_id),*))]
            pub request: Option<Request>,
            #[prost(oneof = "Response", tags($($resp_id),*))]
            pub response: Option<Response>,
            #[prost(oneof = "Event", tags($($event_id),*))]
            pub event: Option<Event>,
        }
    };
}

catalogue! {
    requests {
        /// The address of an interface.
        GetMacAddress(MacAddressOf) = 257,
        /// Give an interface an address.
        SetMacAddress(SetMacAddress) = 258,
        /// Station, access point or both?
        GetMode(Empty) = 259,
        /// Be a station, an access point, or both.
        SetMode(Mode) = 260,
        /// Run the new firmware; the co-processor restarts about 2 s later. Since 2.6.0.
        OtaActivate(Empty) = 266,
        /// Describe the firmware that runs.
        AppGetDesc(Empty) = 267,
        /// Save power.
        SetPs(PowerSave) = 270,
        /// Is power saved?
        GetPs(Empty) = 271,
        /// New firmware follows.
        OtaBegin(Empty) = 272,
        /// Some of it.
        OtaWrite(OtaWrite) = 273,
        /// That was all.
        OtaEnd(Empty) = 274,
        /// Send with at most this power.
        SetMaxTxPower(Power) = 275,
        /// With how much?
        GetMaxTxPower(Empty) = 276,
        /// Beat, or do not.
        ConfigHeartbeat(HeartbeatConfig) = 277,
        /// Initialise Wi-Fi.
        WifiInit(WifiInit) = 278,
        /// Undo that.
        WifiDeinit(Empty) = 279,
        /// Start Wi-Fi.
        WifiStart(Empty) = 280,
        /// Stop it.
        WifiStop(Empty) = 281,
        /// Join the access point.
        WifiConnect(Empty) = 282,
        /// Leave it.
        WifiDisconnect(Empty) = 283,
        /// Configure an interface.
        WifiSetConfig(WifiSetConfig) = 284,
        /// How is it configured?
        WifiGetConfig(WifiGetConfig) = 285,
        /// Scan.
        WifiScanStart(ScanStart) = 286,
        /// Scan no more.
        WifiScanStop(Empty) = 287,
        /// How many access points were found?
        WifiScanGetApNum(Empty) = 288,
        /// Which?
        WifiScanGetApRecords(Number) = 289,
        /// Forget them.
        WifiClearApList(Empty) = 290,
        /// The access point that the station has joined.
        WifiStaGetApInfo(Empty) = 294,
        /// Speak these protocols.
        WifiSetProtocol(Protocol) = 297,
        /// Which are spoken?
        WifiGetProtocol(Ifx) = 298,
        /// Use this width.
        WifiSetBandwidth(Bandwidth) = 299,
        /// Which is used?
        WifiGetBandwidth(Ifx) = 300,
        /// Go to a channel.
        WifiSetChannel(Channel) = 301,
        /// Which is it?
        WifiGetChannel(Empty) = 302,
        /// Keep settings there.
        WifiSetStorage(Storage) = 313,
        /// Obey this country.
        WifiSetCountryCode(CountryCode) = 334,
        /// Which is obeyed?
        WifiGetCountryCode(Empty) = 335,
        /// How strong is the access point?
        WifiStaGetRssi(Empty) = 341,
        /// The version of the firmware.
        GetCoprocessorFwVersion(Empty) = 350,
        /// The next access point that was found.
        WifiScanGetApRecord(Empty) = 351,
        /// These are the addresses.
        SetDhcpDnsStatus(DhcpDns) = 352,
        /// Which are they?
        GetDhcpDnsStatus(Iface) = 353,
        /// Switch a feature.
        FeatureControl(FeatureControl) = 387,
        /// A message of the application. Since 2.8.1.
        CustomRpc(CustomRequest) = 388,
        /// Configure pins.
        GpioConfig(GpioConfigure) = 389,
        /// Reset one.
        GpioResetPin(GpioPin) = 390,
        /// Drive one.
        GpioSetLevel(GpioSetLevel) = 391,
        /// Read one.
        GpioGetLevel(GpioPin) = 392,
        /// Direction of one.
        GpioSetDirection(GpioMode) = 393,
        /// Make one an input.
        GpioInputEnable(GpioPin) = 394,
        /// Pull one.
        GpioSetPullMode(GpioPull) = 395,
    }
    responses {
        /// The address.
        GetMacAddress(MacAddress) = 513,
        /// Done or not.
        SetMacAddress(Status) = 514,
        /// The mode.
        GetMode(ModeReply) = 515,
        /// Done or not.
        SetMode(Status) = 516,
        /// Done or not.
        OtaActivate(Status) = 522,
        /// What runs.
        AppGetDesc(AppDescriptionReply) = 523,
        /// Done or not.
        SetPs(Status) = 526,
        /// How power is saved.
        GetPs(PowerSaveReply) = 527,
        /// Done or not.
        OtaBegin(Status) = 528,
        /// Done or not.
        OtaWrite(Status) = 529,
        /// Done or not.
        OtaEnd(Status) = 530,
        /// Done or not.
        SetMaxTxPower(Status) = 531,
        /// The power.
        GetMaxTxPower(PowerReply) = 532,
        /// Done or not.
        ConfigHeartbeat(Status) = 533,
        /// Done or not.
        WifiInit(Status) = 534,
        /// Done or not.
        WifiDeinit(Status) = 535,
        /// Done or not.
        WifiStart(Status) = 536,
        /// Done or not.
        WifiStop(Status) = 537,
        /// Begun or not.
        WifiConnect(Status) = 538,
        /// Done or not.
        WifiDisconnect(Status) = 539,
        /// Done or not.
        WifiSetConfig(Status) = 540,
        /// The configuration.
        WifiGetConfig(WifiGotConfig) = 541,
        /// Done or not.
        WifiScanStart(Status) = 542,
        /// Done or not.
        WifiScanStop(Status) = 543,
        /// How many.
        WifiScanGetApNum(NumberReply) = 544,
        /// Which.
        WifiScanGetApRecords(ApRecords) = 545,
        /// Done or not.
        WifiClearApList(Status) = 546,
        /// Which.
        WifiStaGetApInfo(ApRecordReply) = 550,
        /// Done or not.
        WifiSetProtocol(Status) = 553,
        /// Which.
        WifiGetProtocol(ProtocolReply) = 554,
        /// Done or not.
        WifiSetBandwidth(Status) = 555,
        /// Which.
        WifiGetBandwidth(BandwidthReply) = 556,
        /// Done or not.
        WifiSetChannel(Status) = 557,
        /// Which.
        WifiGetChannel(ChannelReply) = 558,
        /// Done or not.
        WifiSetStorage(Status) = 569,
        /// Done or not.
        WifiSetCountryCode(Status) = 590,
        /// Which.
        WifiGetCountryCode(CountryCodeReply) = 591,
        /// How strong.
        WifiStaGetRssi(RssiReply) = 597,
        /// The version.
        GetCoprocessorFwVersion(FirmwareVersion) = 606,
        /// Which.
        WifiScanGetApRecord(ApRecordReply) = 607,
        /// Done or not.
        SetDhcpDnsStatus(Status) = 608,
        /// Which.
        GetDhcpDnsStatus(DhcpDnsReply) = 609,
        /// Done or not.
        FeatureControl(FeatureControlled) = 643,
        /// The answer of the application.
        CustomRpc(CustomReply) = 644,
        /// Done or not.
        GpioConfig(Status) = 645,
        /// Done or not.
        GpioResetPin(Status) = 646,
        /// Done or not.
        GpioSetLevel(Status) = 647,
        /// The level.
        GpioGetLevel(GpioLevel) = 648,
        /// Done or not.
        GpioSetDirection(Status) = 649,
        /// Done or not.
        GpioInputEnable(Status) = 650,
        /// Done or not.
        GpioSetPullMode(Status) = 651,
    }
    events {
        /// The co-processor has started.
        EspInit(EspInit) = 769,
        /// It is alive.
        Heartbeat(Heartbeat) = 770,
        /// A station has joined our access point.
        ApStaConnected(ApStaConnected) = 771,
        /// One has left.
        ApStaDisconnected(ApStaDisconnected) = 772,
        /// A Wi-Fi event without arguments.
        WifiEventNoArgs(WifiEvent) = 773,
        /// A scan is over.
        StaScanDone(StaScanDone) = 774,
        /// Our station has joined.
        StaConnected(StaConnected) = 775,
        /// It has left.
        StaDisconnected(StaDisconnected) = 776,
        /// Addresses have changed.
        DhcpDnsStatus(DhcpDnsReply) = 777,
        /// A message of the application.
        CustomRpc(CustomEvent) = 788,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_has_its_reply() {
        let replies: alloc::vec::Vec<u32> = Request::IDS.iter().map(|id| id + 256).collect();
        assert_eq!(replies, Response::IDS);
        for &id in Request::IDS {
            assert_eq!(Request::of(id).map(|request| request.id()), Some(id));
            let reply = Response::of(id + 256, -7).expect("a reply for every request");
            assert_eq!((reply.id(), reply.status()), (id + 256, -7));
        }
        for &id in Event::IDS {
            assert_eq!(Event::of(id).map(|event| event.id()), Some(id));
        }
        assert!(Request::of(305).is_none() && Response::of(256, 0).is_none() && Event::of(1).is_none());
    }
}
