//! The one table of HCI commands: opcodes, dispatch, the answer to Read Local Supported Commands and
//! `docs/hci.md` are all made of it.
//!
//! Opcodes and parameters: Core 6.0, Vol 4, Part E, 7; octet and bit: 6.27 there.

use super::opcode::{self, Opcode};

/// Effect of a command on the virtual air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Carried out as the specification says.
    Done,
    /// It is answered as the specification says, and there is nothing on the virtual air to change.
    Answered,
}

/// Capability without which a controller does not know a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing: all controllers know it.
    Nothing,
    /// Frame space update: `frame_space_min` of the personality.
    FrameSpace,
    /// Connection subrating: `subrating` of the personality.
    Subrating,
    /// Those with extended advertising, which asks for channel selection algorithm #2 (Core 6.0, Vol 6, Part B,
    /// 4.6.12): `csa2` of the personality.
    Extended,
    /// Connection parameters request procedure: `parameter_request` of the personality.
    ParameterRequest,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// The opcode.
    pub opcode: Opcode,
    /// Octet and bit in the answer to Read Local Supported Commands; none for that command itself.
    pub bit: Option<(usize, u8)>,
    /// Effect on the virtual air.
    pub effect: Effect,
    /// Capability a controller needs to know it.
    pub needs: Needs,
    /// Name in the specification.
    pub name: &'static str,
    /// Remark for the reader of the table.
    pub note: &'static str,
}

/// Hands the rows of the table to the macro `$use`.
///
/// A row: constant = OGF, OCF, octet, bit, how it is answered and by which part of the controller, effect, needs, name, note.
macro_rules! for_each_command {
    ($use:ident) => { $use! {
        DISCONNECT = 0x01, 0x0006, 0, 5, Status connections.disconnect, Done, Nothing,
            "HCI_Disconnect", "The reasons 7.1.6 allows; LL_TERMINATE_IND carries it.";
        READ_REMOTE_VERSION = 0x01, 0x001d, 2, 7, Status connections.read_remote_version, Done, Nothing,
            "HCI_Read_Remote_Version_Information", "";
        SET_EVENT_MASK = 0x03, 0x0001, 5, 6, Complete controller.set_event_mask, Done, Nothing,
            "HCI_Set_Event_Mask", "";
        RESET = 0x03, 0x0003, 5, 7, Complete controller.reset, Done, Nothing,
            "HCI_Reset", "Peers of open connections find out by supervision timeout.";
        SET_CONTROLLER_TO_HOST_FLOW_CONTROL = 0x03, 0x0031, 10, 5, Complete controller.host_flow_control, Done, Nothing,
            "HCI_Set_Controller_To_Host_Flow_Control", "ACL data only.";
        HOST_BUFFER_SIZE = 0x03, 0x0033, 10, 6, Complete controller.host_buffer_size, Done, Nothing,
            "HCI_Host_Buffer_Size", "";
        HOST_NUMBER_OF_COMPLETED_PACKETS = 0x03, 0x0035, 10, 7, Silent controller.host_completed, Done, Nothing,
            "HCI_Host_Number_Of_Completed_Packets", "Answered only when it is wrong.";
        SET_EVENT_MASK_PAGE_2 = 0x03, 0x0063, 22, 2, Complete controller.set_event_mask_page_2, Done, Nothing,
            "HCI_Set_Event_Mask_Page_2", "Bit 25 chooses Encryption Change [v2].";
        READ_LE_HOST_SUPPORT = 0x03, 0x006c, 24, 5, Complete controller.read_le_host_support, Answered, Nothing,
            "HCI_Read_LE_Host_Support", "";
        WRITE_LE_HOST_SUPPORT = 0x03, 0x006d, 24, 6, Complete controller.write_le_host_support, Answered, Nothing,
            "HCI_Write_LE_Host_Support", "There is no BR/EDR to choose it over.";
        READ_LOCAL_VERSION = 0x04, 0x0001, 14, 3, Complete informational.read_local_version, Done, Nothing,
            "HCI_Read_Local_Version_Information", "Core 6.0.";
        READ_LOCAL_COMMANDS = 0x04, 0x0002, 255, 0, Complete informational.read_local_commands, Done, Nothing,
            "HCI_Read_Local_Supported_Commands", "The bits of this table.";
        READ_LOCAL_FEATURES = 0x04, 0x0003, 14, 5, Complete informational.read_local_features, Done, Nothing,
            "HCI_Read_Local_Supported_Features", "BR/EDR not supported, LE supported.";
        READ_BD_ADDR = 0x04, 0x0009, 15, 1, Complete informational.read_bd_addr, Done, Nothing,
            "HCI_Read_BD_ADDR", "";
        READ_RSSI = 0x05, 0x0005, 15, 5, Complete connections.read_rssi, Answered, Nothing,
            "HCI_Read_RSSI", "-50 dBm: the virtual medium has no distances.";
        LE_SET_EVENT_MASK = 0x08, 0x0001, 25, 0, Complete controller.le_set_event_mask, Done, Nothing,
            "HCI_LE_Set_Event_Mask", "";
        LE_READ_BUFFER_SIZE = 0x08, 0x0002, 25, 1, Complete informational.le_read_buffer_size, Done, Nothing,
            "HCI_LE_Read_Buffer_Size [v1]", "`acl_size` and `acl_count` of the personality.";
        LE_READ_LOCAL_FEATURES = 0x08, 0x0003, 25, 2, Complete informational.le_read_local_features, Done, Nothing,
            "HCI_LE_Read_Local_Supported_Features_Page_0", "";
        LE_SET_RANDOM_ADDRESS = 0x08, 0x0005, 25, 4, Complete own_address.set_random, Done, Nothing,
            "HCI_LE_Set_Random_Address", "";
        LE_SET_ADV_PARAMETERS = 0x08, 0x0006, 25, 5, Complete advertising.set_parameters, Done, Nothing,
            "HCI_LE_Set_Advertising_Parameters", "Every type, directed ones included.";
        LE_READ_ADV_TX_POWER = 0x08, 0x0007, 25, 6, Complete informational.read_adv_tx_power, Answered, Nothing,
            "HCI_LE_Read_Advertising_Physical_Channel_Tx_Power", "0 dBm.";
        LE_SET_ADV_DATA = 0x08, 0x0008, 25, 7, Complete advertising.set_data, Done, Nothing,
            "HCI_LE_Set_Advertising_Data", "";
        LE_SET_SCAN_RESPONSE_DATA = 0x08, 0x0009, 26, 0, Complete advertising.set_response, Done, Nothing,
            "HCI_LE_Set_Scan_Response_Data", "";
        LE_SET_ADV_ENABLE = 0x08, 0x000a, 26, 1, Complete advertising.enable, Done, Nothing,
            "HCI_LE_Set_Advertising_Enable", "";
        LE_SET_SCAN_PARAMETERS = 0x08, 0x000b, 26, 2, Complete scanning.set_parameters, Done, Nothing,
            "HCI_LE_Set_Scan_Parameters", "";
        LE_SET_SCAN_ENABLE = 0x08, 0x000c, 26, 3, Complete scanning.enable, Done, Nothing,
            "HCI_LE_Set_Scan_Enable", "";
        LE_CREATE_CONNECTION = 0x08, 0x000d, 26, 4, Status initiating.create, Done, Nothing,
            "HCI_LE_Create_Connection", "Takes the longest interval of the range.";
        LE_CREATE_CONNECTION_CANCEL = 0x08, 0x000e, 26, 5, Complete initiating.cancel, Done, Nothing,
            "HCI_LE_Create_Connection_Cancel", "";
        LE_READ_FILTER_ACCEPT_LIST_SIZE = 0x08, 0x000f, 26, 6, Complete accept_list.read_size, Done, Nothing,
            "HCI_LE_Read_Filter_Accept_List_Size", "";
        LE_CLEAR_FILTER_ACCEPT_LIST = 0x08, 0x0010, 26, 7, Complete accept_list.clear, Done, Nothing,
            "HCI_LE_Clear_Filter_Accept_List", "";
        LE_ADD_TO_FILTER_ACCEPT_LIST = 0x08, 0x0011, 27, 0, Complete accept_list.add, Done, Nothing,
            "HCI_LE_Add_Device_To_Filter_Accept_List", "";
        LE_REMOVE_FROM_FILTER_ACCEPT_LIST = 0x08, 0x0012, 27, 1, Complete accept_list.remove, Done, Nothing,
            "HCI_LE_Remove_Device_From_Filter_Accept_List", "";
        LE_CONNECTION_UPDATE = 0x08, 0x0013, 27, 2, Status connections.update, Done, Nothing,
            "HCI_LE_Connection_Update", "";
        LE_SET_CHANNEL_CLASSIFICATION = 0x08, 0x0014, 27, 3, Complete defaults.classify_channels, Done, Nothing,
            "HCI_LE_Set_Host_Channel_Classification", "";
        LE_READ_CHANNEL_MAP = 0x08, 0x0015, 27, 4, Complete connections.read_channel_map, Done, Nothing,
            "HCI_LE_Read_Channel_Map", "";
        LE_READ_REMOTE_FEATURES = 0x08, 0x0016, 27, 5, Status connections.read_remote_features, Done, Nothing,
            "HCI_LE_Read_Remote_Features_Page_0", "";
        LE_ENCRYPT = 0x08, 0x0017, 27, 6, Complete security.encrypt, Done, Nothing,
            "HCI_LE_Encrypt", "AES-128.";
        LE_RAND = 0x08, 0x0018, 27, 7, Complete security.rand, Done, Nothing,
            "HCI_LE_Rand", "A stream of its own, the same for every run of this address.";
        LE_ENABLE_ENCRYPTION = 0x08, 0x0019, 28, 0, Status connections.enable_encryption, Done, Nothing,
            "HCI_LE_Enable_Encryption", "The MIC on the virtual air is a checksum; a running encryption is paused and its key refreshed.";
        LE_LONG_TERM_KEY_REPLY = 0x08, 0x001a, 28, 1, Complete connections.key_reply, Done, Nothing,
            "HCI_LE_Long_Term_Key_Request_Reply", "";
        LE_LONG_TERM_KEY_NEGATIVE_REPLY = 0x08, 0x001b, 28, 2, Complete connections.key_refusal, Done, Nothing,
            "HCI_LE_Long_Term_Key_Request_Negative_Reply", "";
        LE_READ_SUPPORTED_STATES = 0x08, 0x001c, 28, 3, Complete informational.read_supported_states, Done, Nothing,
            "HCI_LE_Read_Supported_States", "Every state and combination of 7.8.27.";
        LE_PARAMETER_REQUEST_REPLY = 0x08, 0x0020, 33, 4, Complete connections.parameter_reply, Done, ParameterRequest,
            "HCI_LE_Remote_Connection_Parameter_Request_Reply", "";
        LE_PARAMETER_REQUEST_NEGATIVE_REPLY = 0x08, 0x0021, 33, 5, Complete connections.parameter_refusal, Done, ParameterRequest,
            "HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply", "";
        LE_SET_DATA_LENGTH = 0x08, 0x0022, 33, 6, Complete connections.set_data_length, Done, Nothing,
            "HCI_LE_Set_Data_Length", "";
        LE_READ_SUGGESTED_DATA_LENGTH = 0x08, 0x0023, 33, 7, Complete defaults.read_length, Done, Nothing,
            "HCI_LE_Read_Suggested_Default_Data_Length", "";
        LE_WRITE_SUGGESTED_DATA_LENGTH = 0x08, 0x0024, 34, 0, Complete defaults.set_length, Done, Nothing,
            "HCI_LE_Write_Suggested_Default_Data_Length", "Offered once a length procedure runs; the controller starts none by itself.";
        LE_ADD_TO_RESOLVING_LIST = 0x08, 0x0027, 34, 3, Complete resolving_list.add, Done, Nothing,
            "HCI_LE_Add_Device_To_Resolving_List", "";
        LE_REMOVE_FROM_RESOLVING_LIST = 0x08, 0x0028, 34, 4, Complete resolving_list.remove, Done, Nothing,
            "HCI_LE_Remove_Device_From_Resolving_List", "";
        LE_CLEAR_RESOLVING_LIST = 0x08, 0x0029, 34, 5, Complete resolving_list.clear, Done, Nothing,
            "HCI_LE_Clear_Resolving_List", "";
        LE_READ_RESOLVING_LIST_SIZE = 0x08, 0x002a, 34, 6, Complete resolving_list.read_size, Done, Nothing,
            "HCI_LE_Read_Resolving_List_Size", "";
        LE_READ_PEER_RESOLVABLE_ADDRESS = 0x08, 0x002b, 34, 7, Complete resolving_list.read_peer_address, Done, Nothing,
            "HCI_LE_Read_Peer_Resolvable_Address", "";
        LE_READ_LOCAL_RESOLVABLE_ADDRESS = 0x08, 0x002c, 35, 0, Complete resolving_list.read_local_address, Done, Nothing,
            "HCI_LE_Read_Local_Resolvable_Address", "";
        LE_SET_ADDRESS_RESOLUTION_ENABLE = 0x08, 0x002d, 35, 1, Complete resolving_list.enable, Done, Nothing,
            "HCI_LE_Set_Address_Resolution_Enable", "";
        LE_SET_RPA_TIMEOUT = 0x08, 0x002e, 35, 2, Complete resolving_list.set_timeout, Done, Nothing,
            "HCI_LE_Set_Resolvable_Private_Address_Timeout [v1]", "A new address is made when the next one is needed.";
        LE_READ_MAXIMUM_DATA_LENGTH = 0x08, 0x002f, 35, 3, Complete defaults.read_maximum_length, Done, Nothing,
            "HCI_LE_Read_Maximum_Data_Length", "";
        LE_READ_PHY = 0x08, 0x0030, 35, 4, Complete connections.read_phy, Done, Nothing,
            "HCI_LE_Read_PHY", "";
        LE_SET_DEFAULT_PHY = 0x08, 0x0031, 35, 5, Complete defaults.set_phys, Done, Nothing,
            "HCI_LE_Set_Default_PHY", "";
        LE_SET_PHY = 0x08, 0x0032, 35, 6, Status connections.set_phy, Done, Nothing,
            "HCI_LE_Set_PHY", "";
        LE_SET_ADV_SET_RANDOM_ADDRESS = 0x08, 0x0035, 36, 1, Complete advertising_sets.set_random_address, Done, Extended,
            "HCI_LE_Set_Advertising_Set_Random_Address", "";
        LE_SET_EXT_ADV_PARAMETERS = 0x08, 0x0036, 36, 2, Complete advertising_sets.set_parameters, Done, Extended,
            "HCI_LE_Set_Extended_Advertising_Parameters [v1]", "Anonymous advertising is refused. Every event has its auxiliary packet, whatever Secondary_Advertising_Max_Skip allows.";
        LE_SET_EXT_ADV_DATA = 0x08, 0x0037, 36, 3, Complete advertising_sets.set_data, Done, Extended,
            "HCI_LE_Set_Extended_Advertising_Data", "As much as fits one AUX_ADV_IND: no AUX_CHAIN_IND.";
        LE_SET_EXT_SCAN_RESPONSE_DATA = 0x08, 0x0038, 36, 4, Complete advertising_sets.set_response, Done, Extended,
            "HCI_LE_Set_Extended_Scan_Response_Data", "";
        LE_SET_EXT_ADV_ENABLE = 0x08, 0x0039, 36, 5, Complete advertising_sets.enable, Done, Extended,
            "HCI_LE_Set_Extended_Advertising_Enable", "Several sets, durations and numbers of events.";
        LE_READ_MAXIMUM_ADV_DATA_LENGTH = 0x08, 0x003a, 36, 6, Complete advertising_sets.read_maximum_data, Done, Extended,
            "HCI_LE_Read_Maximum_Advertising_Data_Length", "";
        LE_READ_NUMBER_OF_ADV_SETS = 0x08, 0x003b, 36, 7, Complete advertising_sets.read_number, Done, Extended,
            "HCI_LE_Read_Number_of_Supported_Advertising_Sets", "";
        LE_REMOVE_ADV_SET = 0x08, 0x003c, 37, 0, Complete advertising_sets.remove, Done, Extended,
            "HCI_LE_Remove_Advertising_Set", "";
        LE_CLEAR_ADV_SETS = 0x08, 0x003d, 37, 1, Complete advertising_sets.clear, Done, Extended,
            "HCI_LE_Clear_Advertising_Sets", "";
        LE_SET_EXT_SCAN_PARAMETERS = 0x08, 0x0041, 37, 5, Complete scanning.set_extended_parameters, Done, Extended,
            "HCI_LE_Set_Extended_Scan_Parameters", "LE Coded as a primary PHY if the personality has it; with both PHYs, windows take turns.";
        LE_SET_EXT_SCAN_ENABLE = 0x08, 0x0042, 37, 6, Complete scanning.enable_extended, Done, Extended,
            "HCI_LE_Set_Extended_Scan_Enable", "";
        LE_EXT_CREATE_CONNECTION = 0x08, 0x0043, 37, 7, Status initiating.create_extended, Done, Extended,
            "HCI_LE_Extended_Create_Connection [v1]", "";
        LE_READ_TRANSMIT_POWER = 0x08, 0x004b, 38, 7, Complete informational.read_transmit_power, Answered, Nothing,
            "HCI_LE_Read_Transmit_Power", "0 dBm to 0 dBm.";
        LE_SET_PRIVACY_MODE = 0x08, 0x004e, 39, 2, Complete resolving_list.set_privacy_mode, Done, Nothing,
            "HCI_LE_Set_Privacy_Mode", "";
        LE_READ_BUFFER_SIZE_V2 = 0x08, 0x0060, 41, 5, Complete informational.le_read_buffer_size_v2, Done, Nothing,
            "HCI_LE_Read_Buffer_Size [v2]", "No isochronous buffers.";
        LE_SET_HOST_FEATURE = 0x08, 0x0074, 44, 1, Complete controller.set_host_feature, Done, Subrating,
            "HCI_LE_Set_Host_Feature [v1]", "Bit 38, Connection Subrating (Host Support).";
        LE_SET_DEFAULT_SUBRATE = 0x08, 0x007d, 46, 0, Complete defaults.set_subrates, Done, Subrating,
            "HCI_LE_Set_Default_Subrate", "";
        LE_SUBRATE_REQUEST = 0x08, 0x007e, 46, 1, Status connections.subrate, Done, Subrating,
            "HCI_LE_Subrate_Request", "A central takes the largest factor.";
        LE_FRAME_SPACE_UPDATE = 0x08, 0x009d, 48, 1, Status connections.frame_space_update, Done, FrameSpace,
            "HCI_LE_Frame_Space_Update", "";
    } };
}

pub(crate) use for_each_command;

/// The bit of a row; octet 255 stands for none.
const fn bit(octet: usize, bit: u8) -> Option<(usize, u8)> {
    if octet == 255 { None } else { Some((octet, bit)) }
}

macro_rules! commands {
    ($($name:ident = $ogf:literal, $ocf:literal, $octet:literal, $bit:literal, $answer:ident $part:ident.$handler:ident,
       $effect:ident, $needs:ident, $text:literal, $note:literal;)*) => {
        /// Every command a controller of this project knows.
        pub const COMMANDS: &[Command] = &[$(Command {
            opcode: opcode::$name,
            bit: bit($octet, $bit),
            effect: Effect::$effect,
            needs: Needs::$needs,
            name: $text,
            note: $note,
        }),*];
    };
}

for_each_command!(commands);
