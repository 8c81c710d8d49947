//! `docs/hci.md`, from the table of commands.

use alloc::string::String;
use core::fmt::Write;

use super::commands::{COMMANDS, Command, Effect, Needs};
use super::{Opcode, event, opcode};

const HEAD: &str = "# HCI of the virtual controller

This page is generated from the table in `crates/ble/src/hci/commands.rs`, which is also what dispatches the commands and
answers Read Local Supported Commands; `AIRTIME_BLESS=1 cargo test -p airtime-ble` writes it, and without the variable
the same test fails when it is out of date.

The controller is LE only, of Core 6.0. A command that is not in the table gets a Command Status with *unknown HCI
command*, and its bit is clear. *done*: what the specification says happens. *answered*: the answer is a good one, and
there is nothing on the virtual air to change. *if*: the personality must have it, else the command is unknown.

## Commands

| opcode | name | state | if | note | at start-up of |
|---|---|---|---|---|---|
";

const UNSUPPORTED_HEAD: &str = "
## Not supported

What the hosts below look for, or would send on a controller that said it could. Every other command is unknown as well.

| opcode | name | why |
|---|---|---|
";

const HOSTS_HEAD: &str = "
## Hosts

*At start-up of* names the hosts that send the command before their application does anything, read from their sources:

| letter | host | where |
|---|---|---|
";

const EVENTS_HEAD: &str = "
## Events

| code | name | note |
|---|---|---|
";

/// A host whose start-up was read: letter, name, where, commands.
type Startup = (char, &'static str, &'static str, &'static [Opcode]);

/// Start-up sequences: the commands that each host sends to this controller.
const STARTUPS: [Startup; 4] = [
    (
        'B',
        "Bumble 0.0.236",
        "`Host.reset`, `Device.power_on` with its default configuration",
        &[
            opcode::RESET,
            opcode::READ_LOCAL_COMMANDS,
            opcode::READ_LOCAL_VERSION,
            opcode::LE_READ_LOCAL_FEATURES,
            opcode::READ_LOCAL_FEATURES,
            opcode::SET_EVENT_MASK,
            opcode::SET_EVENT_MASK_PAGE_2,
            opcode::LE_SET_EVENT_MASK,
            opcode::LE_READ_BUFFER_SIZE_V2,
            opcode::LE_READ_SUGGESTED_DATA_LENGTH,
            opcode::LE_WRITE_SUGGESTED_DATA_LENGTH,
            opcode::LE_READ_NUMBER_OF_ADV_SETS,
            opcode::LE_READ_MAXIMUM_ADV_DATA_LENGTH,
            opcode::READ_BD_ADDR,
            opcode::WRITE_LE_HOST_SUPPORT,
            opcode::LE_SET_RANDOM_ADDRESS,
        ],
    ),
    (
        'T',
        "TrouBLE, `trouble-host` 0.8",
        "`ControlRunner::run` with the feature `security` and a random address",
        &[
            opcode::RESET,
            opcode::LE_RAND,
            opcode::LE_SET_RANDOM_ADDRESS,
            opcode::SET_EVENT_MASK,
            opcode::SET_EVENT_MASK_PAGE_2,
            opcode::LE_SET_EVENT_MASK,
            opcode::LE_READ_FILTER_ACCEPT_LIST_SIZE,
            opcode::LE_READ_BUFFER_SIZE,
            opcode::HOST_BUFFER_SIZE,
            opcode::READ_BD_ADDR,
            opcode::LE_SET_RPA_TIMEOUT,
        ],
    ),
    (
        'L',
        "BlueZ's kernel side (Linux)",
        "`net/bluetooth/hci_sync.c`, the stages for a controller without BR/EDR",
        &[
            opcode::RESET,
            opcode::READ_LOCAL_FEATURES,
            opcode::READ_LOCAL_VERSION,
            opcode::READ_BD_ADDR,
            opcode::READ_LOCAL_COMMANDS,
            opcode::LE_READ_LOCAL_FEATURES,
            opcode::LE_READ_BUFFER_SIZE,
            opcode::LE_READ_SUPPORTED_STATES,
            opcode::SET_EVENT_MASK,
            opcode::LE_SET_EVENT_MASK,
            opcode::LE_READ_TRANSMIT_POWER,
            opcode::LE_READ_FILTER_ACCEPT_LIST_SIZE,
            opcode::LE_CLEAR_FILTER_ACCEPT_LIST,
            opcode::LE_READ_RESOLVING_LIST_SIZE,
            opcode::LE_CLEAR_RESOLVING_LIST,
            opcode::LE_SET_RPA_TIMEOUT,
            opcode::LE_READ_MAXIMUM_DATA_LENGTH,
            opcode::LE_READ_SUGGESTED_DATA_LENGTH,
            opcode::LE_READ_NUMBER_OF_ADV_SETS,
        ],
    ),
    (
        'Z',
        "Zephyr's host, v3.2",
        "`subsys/bluetooth/host/hci_core.c`, with connections, extended advertising, privacy, flow control and SMP; seen with both roles",
        &[
            opcode::RESET,
            opcode::READ_LOCAL_FEATURES,
            opcode::READ_LOCAL_VERSION,
            opcode::READ_LOCAL_COMMANDS,
            opcode::LE_READ_LOCAL_FEATURES,
            opcode::LE_READ_BUFFER_SIZE,
            opcode::LE_READ_SUPPORTED_STATES,
            opcode::LE_READ_MAXIMUM_DATA_LENGTH,
            opcode::LE_WRITE_SUGGESTED_DATA_LENGTH,
            opcode::LE_READ_RESOLVING_LIST_SIZE,
            opcode::LE_SET_EVENT_MASK,
            opcode::SET_EVENT_MASK,
            opcode::READ_BD_ADDR,
            opcode::HOST_BUFFER_SIZE,
            opcode::SET_CONTROLLER_TO_HOST_FLOW_CONTROL,
            opcode::LE_RAND,
            opcode::LE_SET_RPA_TIMEOUT,
        ],
    ),
];

/// Commands hosts know that this controller does not.
pub const UNSUPPORTED: &[(Opcode, &str, &str)] = &[
    (Opcode(0x0c1a), "HCI_Write_Scan_Enable, and every other command of BR/EDR", "No BR/EDR."),
    (Opcode(0x0c7b), "HCI_Read_Authenticated_Payload_Timeout", "LE Ping is not done."),
    (Opcode(0x0c7c), "HCI_Write_Authenticated_Payload_Timeout", "LE Ping is not done."),
    (Opcode(0x1005), "HCI_Read_Buffer_Size", "LE has buffers of its own: LE Read Buffer Size."),
    (Opcode(0x201d), "HCI_LE_Receiver_Test, and the other test commands", "No test mode."),
    (Opcode(0x2025), "HCI_LE_Read_Local_P-256_Public_Key", "Hosts make keys themselves."),
    (Opcode(0x2026), "HCI_LE_Generate_DHKey", "Hosts make keys themselves."),
    (Opcode(0x203e), "HCI_LE_Set_Periodic_Advertising_Parameters, and what belongs to it", "No periodic advertising."),
    (Opcode(0x2062), "HCI_LE_Set_CIG_Parameters, and what belongs to isochronous channels", "No isochronous channels."),
    (Opcode(0x2074), "HCI_LE_Set_Host_Feature", "No feature is the host's to choose."),
    (Opcode(0x207d), "HCI_LE_Set_Default_Subrate", "No connection subrating."),
    (Opcode(0x2087), "HCI_LE_Read_All_Local_Supported_Features", "Features beyond page 0 are not exchanged."),
];

/// Events, with the subevent code of an LE Meta event.
const EVENTS: &[(u8, Option<u8>, &str, &str)] = &[
    (event::DISCONNECTION_COMPLETE, None, "HCI_Disconnection_Complete", ""),
    (event::ENCRYPTION_CHANGE, None, "HCI_Encryption_Change [v1]", "Unless the host takes [v2]."),
    (event::READ_REMOTE_VERSION_COMPLETE, None, "HCI_Read_Remote_Version_Information_Complete", ""),
    (event::COMMAND_COMPLETE, None, "HCI_Command_Complete", "One command at a time."),
    (event::COMMAND_STATUS, None, "HCI_Command_Status", ""),
    (event::HARDWARE_ERROR, None, "HCI_Hardware_Error", "Bytes that are no H4 packet."),
    (event::NUMBER_OF_COMPLETED_PACKETS, None, "HCI_Number_Of_Completed_Packets", "`completed_packets` says when."),
    (event::DATA_BUFFER_OVERFLOW, None, "HCI_Data_Buffer_Overflow", "More ACL data than was granted."),
    (
        event::ENCRYPTION_KEY_REFRESH_COMPLETE,
        None,
        "HCI_Encryption_Key_Refresh_Complete",
        "A link that was encrypted has a new key.",
    ),
    (event::ENCRYPTION_CHANGE_V2, None, "HCI_Encryption_Change [v2]", "To a host that unmasks it in page 2."),
    (
        event::LE_META,
        Some(event::LE_CONNECTION_COMPLETE),
        "HCI_LE_Connection_Complete",
        "Unless the host takes the enhanced one.",
    ),
    (event::LE_META, Some(event::LE_ADVERTISING_REPORT), "HCI_LE_Advertising_Report", "One report each."),
    (event::LE_META, Some(event::LE_CONNECTION_UPDATE_COMPLETE), "HCI_LE_Connection_Update_Complete", ""),
    (event::LE_META, Some(event::LE_READ_REMOTE_FEATURES_COMPLETE), "HCI_LE_Read_Remote_Features_Page_0_Complete", ""),
    (event::LE_META, Some(event::LE_LONG_TERM_KEY_REQUEST), "HCI_LE_Long_Term_Key_Request", ""),
    (
        event::LE_META,
        Some(event::LE_REMOTE_PARAMETER_REQUEST),
        "HCI_LE_Remote_Connection_Parameter_Request",
        "While the host masks it, the peer is refused.",
    ),
    (event::LE_META, Some(event::LE_DATA_LENGTH_CHANGE), "HCI_LE_Data_Length_Change", ""),
    (event::LE_META, Some(event::LE_ENHANCED_CONNECTION_COMPLETE), "HCI_LE_Enhanced_Connection_Complete [v1]", ""),
    (event::LE_META, Some(event::LE_DIRECTED_ADVERTISING_REPORT), "HCI_LE_Directed_Advertising_Report", ""),
    (event::LE_META, Some(event::LE_PHY_UPDATE_COMPLETE), "HCI_LE_PHY_Update_Complete", ""),
    (
        event::LE_META,
        Some(event::LE_EXTENDED_ADVERTISING_REPORT),
        "HCI_LE_Extended_Advertising_Report",
        "To a scanner of extended commands.",
    ),
    (event::LE_META, Some(event::LE_SCAN_TIMEOUT), "HCI_LE_Scan_Timeout", ""),
    (event::LE_META, Some(event::LE_ADVERTISING_SET_TERMINATED), "HCI_LE_Advertising_Set_Terminated", ""),
    (event::LE_META, Some(event::LE_SCAN_REQUEST_RECEIVED), "HCI_LE_Scan_Request_Received", "If the set asks for it."),
    (event::LE_META, Some(event::LE_CHANNEL_SELECTION_ALGORITHM), "HCI_LE_Channel_Selection_Algorithm", ""),
    (event::LE_META, Some(event::LE_SUBRATE_CHANGE), "HCI_LE_Subrate_Change", ""),
    (event::LE_META, Some(event::LE_FRAME_SPACE_UPDATE_COMPLETE), "HCI_LE_Frame_Space_Update_Complete", ""),
];

/// The page.
pub fn markdown() -> String {
    let mut page = String::from(HEAD);
    for command in COMMANDS {
        row(&mut page, command);
    }
    page.push_str(UNSUPPORTED_HEAD);
    for (opcode, name, why) in UNSUPPORTED {
        let _ = writeln!(page, "| `0x{:04X}` | {name} | {why} |", opcode.0);
    }
    page.push_str(EVENTS_HEAD);
    for (code, subevent, name, note) in EVENTS {
        let _ = match subevent {
            Some(subevent) => writeln!(page, "| `0x{code:02X}` `0x{subevent:02X}` | {name} | {note} |"),
            None => writeln!(page, "| `0x{code:02X}` | {name} | {note} |"),
        };
    }
    page.push_str(HOSTS_HEAD);
    for (letter, host, place, _) in STARTUPS {
        let _ = writeln!(page, "| {letter} | {host} | {place} |");
    }
    page
}

fn row(page: &mut String, command: &Command) {
    let state = match command.effect {
        Effect::Done => "done",
        Effect::Answered => "answered",
    };
    let needs = match command.needs {
        Needs::Nothing => "",
        Needs::FrameSpace => "`frame_space_min`",
        Needs::Subrating => "`subrating`",
        Needs::Extended => "`csa2`",
        Needs::ParameterRequest => "`parameter_request`",
    };
    let hosts = STARTUPS.iter().filter(|(_, _, _, sent)| sent.contains(&command.opcode));
    let letters: String = hosts.map(|(letter, ..)| *letter).collect();
    let (opcode, name, note) = (command.opcode.0, command.name, command.note);
    let _ = writeln!(page, "| `0x{opcode:04X}` | {name} | {state} | {needs} | {note} | {letters} |");
}
