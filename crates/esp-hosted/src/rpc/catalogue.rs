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
        /// Request of the host.
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Request {
            $($(#[$req_doc])* #[prost(message, tag = $req_id)] $req($req_type),)*
        }

        impl Request {
            /// Numbers of all requests.
            pub const IDS: &[u32] = &[$($req_id),*];

            /// Number of the request.
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

        /// Response of the co-processor.
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

            /// Status of the request: 0, or an error code.
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

        /// Event: a message that the co-processor sends unasked.
        #[derive(Clone, PartialEq, prost::Oneof)]
        pub enum Event {
            $($(#[$event_doc])* #[prost(message, tag = $event_id)] $event($event_type),)*
        }

        impl Event {
            /// Numbers of all events.
            pub const IDS: &[u32] = &[$($event_id),*];

            /// Number of the event.
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
        /// Read the mode: station, access point, or both.
        GetMode(Empty) = 259,
        /// Set the mode: station, access point, or both.
        SetMode(Mode) = 260,
        /// Run the new firmware; the co-processor restarts about 2 s later. Since 2.6.0.
        OtaActivate(Empty) = 266,
        /// Describe the firmware that runs.
        AppGetDesc(Empty) = 267,
        /// Set the mode of power saving.
        SetPs(PowerSave) = 270,
        /// Read the mode of power saving.
        GetPs(Empty) = 271,
        /// Begin an update: new firmware follows.
        OtaBegin(Empty) = 272,
        /// Write a piece of the new firmware.
        OtaWrite(OtaWrite) = 273,
        /// End an update: the new firmware is complete.
        OtaEnd(Empty) = 274,
        /// Set the largest transmit power.
        SetMaxTxPower(Power) = 275,
        /// Read the largest transmit power.
        GetMaxTxPower(Empty) = 276,
        /// Turn the heartbeat on or off.
        ConfigHeartbeat(HeartbeatConfig) = 277,
        /// Initialise Wi-Fi with these buffers.
        WifiInit(WifiInit) = 278,
        /// Undo the initialisation of Wi-Fi.
        WifiDeinit(Empty) = 279,
        /// Start Wi-Fi in its mode.
        WifiStart(Empty) = 280,
        /// Stop Wi-Fi until the next start.
        WifiStop(Empty) = 281,
        /// Join the access point.
        WifiConnect(Empty) = 282,
        /// Leave the access point.
        WifiDisconnect(Empty) = 283,
        /// Configure an interface.
        WifiSetConfig(WifiSetConfig) = 284,
        /// Read the configuration of an interface.
        WifiGetConfig(WifiGetConfig) = 285,
        /// Start a scan.
        WifiScanStart(ScanStart) = 286,
        /// Stop a scan.
        WifiScanStop(Empty) = 287,
        /// Read the number of access points that were found.
        WifiScanGetApNum(Empty) = 288,
        /// Read the access points that were found.
        WifiScanGetApRecords(Number) = 289,
        /// Forget the access points that were found.
        WifiClearApList(Empty) = 290,
        /// The access point that the station has joined.
        WifiStaGetApInfo(Empty) = 294,
        /// Set the protocols of an interface.
        WifiSetProtocol(Protocol) = 297,
        /// Read the protocols of an interface.
        WifiGetProtocol(Ifx) = 298,
        /// Set the width of an interface.
        WifiSetBandwidth(Bandwidth) = 299,
        /// Read the width of an interface.
        WifiGetBandwidth(Ifx) = 300,
        /// Set the channel.
        WifiSetChannel(Channel) = 301,
        /// Read the channel.
        WifiGetChannel(Empty) = 302,
        /// Set the place where settings are kept.
        WifiSetStorage(Storage) = 313,
        /// Set the country code to obey.
        WifiSetCountryCode(CountryCode) = 334,
        /// Read the country code that is obeyed.
        WifiGetCountryCode(Empty) = 335,
        /// Read the signal strength of the access point.
        WifiStaGetRssi(Empty) = 341,
        /// The version of the firmware.
        GetCoprocessorFwVersion(Empty) = 350,
        /// The next access point that was found.
        WifiScanGetApRecord(Empty) = 351,
        /// Set the addresses of an interface.
        SetDhcpDnsStatus(DhcpDns) = 352,
        /// Read the addresses of an interface.
        GetDhcpDnsStatus(Iface) = 353,
        /// Switch a feature on or off.
        FeatureControl(FeatureControl) = 387,
        /// A message of the application. Since 2.8.1.
        CustomRpc(CustomRequest) = 388,
        /// Configure pins of the co-processor.
        GpioConfig(GpioConfigure) = 389,
        /// Reset a pin.
        GpioResetPin(GpioPin) = 390,
        /// Drive a pin.
        GpioSetLevel(GpioSetLevel) = 391,
        /// Read a pin.
        GpioGetLevel(GpioPin) = 392,
        /// Set the direction of a pin.
        GpioSetDirection(GpioMode) = 393,
        /// Make a pin an input.
        GpioInputEnable(GpioPin) = 394,
        /// Set the pull resistors of a pin.
        GpioSetPullMode(GpioPull) = 395,
    }
    responses {
        /// Address of the interface.
        GetMacAddress(MacAddress) = 513,
        /// Status of the request.
        SetMacAddress(Status) = 514,
        /// Mode: station, access point, or both.
        GetMode(ModeReply) = 515,
        /// Status of the request.
        SetMode(Status) = 516,
        /// Status of the request.
        OtaActivate(Status) = 522,
        /// Description of the firmware that runs.
        AppGetDesc(AppDescriptionReply) = 523,
        /// Status of the request.
        SetPs(Status) = 526,
        /// Mode of power saving.
        GetPs(PowerSaveReply) = 527,
        /// Status of the request.
        OtaBegin(Status) = 528,
        /// Status of the request.
        OtaWrite(Status) = 529,
        /// Status of the request.
        OtaEnd(Status) = 530,
        /// Status of the request.
        SetMaxTxPower(Status) = 531,
        /// Largest transmit power.
        GetMaxTxPower(PowerReply) = 532,
        /// Status of the request.
        ConfigHeartbeat(Status) = 533,
        /// Status of the request.
        WifiInit(Status) = 534,
        /// Status of the request.
        WifiDeinit(Status) = 535,
        /// Status of the request.
        WifiStart(Status) = 536,
        /// Status of the request.
        WifiStop(Status) = 537,
        /// Status of the request; the connection itself is told by an event.
        WifiConnect(Status) = 538,
        /// Status of the request.
        WifiDisconnect(Status) = 539,
        /// Status of the request.
        WifiSetConfig(Status) = 540,
        /// Configuration of the interface.
        WifiGetConfig(WifiGotConfig) = 541,
        /// Status of the request.
        WifiScanStart(Status) = 542,
        /// Status of the request.
        WifiScanStop(Status) = 543,
        /// Number of access points that were found.
        WifiScanGetApNum(NumberReply) = 544,
        /// Records of the access points that were found.
        WifiScanGetApRecords(ApRecords) = 545,
        /// Status of the request.
        WifiClearApList(Status) = 546,
        /// Record of the access point that the station has joined.
        WifiStaGetApInfo(ApRecordReply) = 550,
        /// Status of the request.
        WifiSetProtocol(Status) = 553,
        /// Protocols of the interface.
        WifiGetProtocol(ProtocolReply) = 554,
        /// Status of the request.
        WifiSetBandwidth(Status) = 555,
        /// Width of the interface.
        WifiGetBandwidth(BandwidthReply) = 556,
        /// Status of the request.
        WifiSetChannel(Status) = 557,
        /// Channel, with the place of the secondary one.
        WifiGetChannel(ChannelReply) = 558,
        /// Status of the request.
        WifiSetStorage(Status) = 569,
        /// Status of the request.
        WifiSetCountryCode(Status) = 590,
        /// Country code that is obeyed.
        WifiGetCountryCode(CountryCodeReply) = 591,
        /// Signal strength of the access point.
        WifiStaGetRssi(RssiReply) = 597,
        /// Version of the firmware.
        GetCoprocessorFwVersion(FirmwareVersion) = 606,
        /// Record of the next access point that was found.
        WifiScanGetApRecord(ApRecordReply) = 607,
        /// Status of the request.
        SetDhcpDnsStatus(Status) = 608,
        /// Addresses of the interface, with the state of its link.
        GetDhcpDnsStatus(DhcpDnsReply) = 609,
        /// Status of the request.
        FeatureControl(FeatureControlled) = 643,
        /// The answer of the application.
        CustomRpc(CustomReply) = 644,
        /// Status of the request.
        GpioConfig(Status) = 645,
        /// Status of the request.
        GpioResetPin(Status) = 646,
        /// Status of the request.
        GpioSetLevel(Status) = 647,
        /// Level of the pin.
        GpioGetLevel(GpioLevel) = 648,
        /// Status of the request.
        GpioSetDirection(Status) = 649,
        /// Status of the request.
        GpioInputEnable(Status) = 650,
        /// Status of the request.
        GpioSetPullMode(Status) = 651,
    }
    events {
        /// The co-processor has started.
        EspInit(EspInit) = 769,
        /// Heartbeat: the co-processor is alive.
        Heartbeat(Heartbeat) = 770,
        /// A station has joined our access point.
        ApStaConnected(ApStaConnected) = 771,
        /// A station has left our access point.
        ApStaDisconnected(ApStaDisconnected) = 772,
        /// A Wi-Fi event without arguments.
        WifiEventNoArgs(WifiEvent) = 773,
        /// A scan is over.
        StaScanDone(StaScanDone) = 774,
        /// Our station has joined.
        StaConnected(StaConnected) = 775,
        /// Our station has left, or was thrown out.
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
