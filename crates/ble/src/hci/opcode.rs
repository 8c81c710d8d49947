//! Command opcodes: OGF in the upper six bits, OCF in the lower ten. Core 6.0, Vol 4, Part E, 7.

/// A command opcode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opcode(pub u16);

macro_rules! opcodes {
    ($($name:ident = $ogf:literal, $ocf:literal, $text:literal;)*) => {
        $(#[doc = concat!("`", $text, "`")] pub const $name: Opcode = Opcode($ogf << 10 | $ocf);)*

        /// Every command this project knows, with its name in the specification.
        pub const ALL: &[(Opcode, &str)] = &[$(($name, $text)),*];
    };
}

opcodes! {
    DISCONNECT = 0x01, 0x0006, "HCI_Disconnect";
    READ_REMOTE_VERSION = 0x01, 0x001d, "HCI_Read_Remote_Version_Information";
    SET_EVENT_MASK = 0x03, 0x0001, "HCI_Set_Event_Mask";
    RESET = 0x03, 0x0003, "HCI_Reset";
    SET_CONTROLLER_TO_HOST_FLOW_CONTROL = 0x03, 0x0031, "HCI_Set_Controller_To_Host_Flow_Control";
    HOST_BUFFER_SIZE = 0x03, 0x0033, "HCI_Host_Buffer_Size";
    HOST_NUMBER_OF_COMPLETED_PACKETS = 0x03, 0x0035, "HCI_Host_Number_Of_Completed_Packets";
    SET_EVENT_MASK_PAGE_2 = 0x03, 0x0063, "HCI_Set_Event_Mask_Page_2";
    READ_LOCAL_VERSION = 0x04, 0x0001, "HCI_Read_Local_Version_Information";
    READ_LOCAL_COMMANDS = 0x04, 0x0002, "HCI_Read_Local_Supported_Commands";
    READ_LOCAL_FEATURES = 0x04, 0x0003, "HCI_Read_Local_Supported_Features";
    READ_BD_ADDR = 0x04, 0x0009, "HCI_Read_BD_ADDR";
    READ_RSSI = 0x05, 0x0005, "HCI_Read_RSSI";
    LE_SET_EVENT_MASK = 0x08, 0x0001, "HCI_LE_Set_Event_Mask";
    LE_READ_BUFFER_SIZE = 0x08, 0x0002, "HCI_LE_Read_Buffer_Size [v1]";
    LE_READ_LOCAL_FEATURES = 0x08, 0x0003, "HCI_LE_Read_Local_Supported_Features_Page_0";
    LE_SET_RANDOM_ADDRESS = 0x08, 0x0005, "HCI_LE_Set_Random_Address";
    LE_SET_ADV_PARAMETERS = 0x08, 0x0006, "HCI_LE_Set_Advertising_Parameters";
    LE_SET_ADV_DATA = 0x08, 0x0008, "HCI_LE_Set_Advertising_Data";
    LE_SET_SCAN_RESPONSE_DATA = 0x08, 0x0009, "HCI_LE_Set_Scan_Response_Data";
    LE_SET_ADV_ENABLE = 0x08, 0x000a, "HCI_LE_Set_Advertising_Enable";
    LE_SET_SCAN_PARAMETERS = 0x08, 0x000b, "HCI_LE_Set_Scan_Parameters";
    LE_SET_SCAN_ENABLE = 0x08, 0x000c, "HCI_LE_Set_Scan_Enable";
    LE_CREATE_CONNECTION = 0x08, 0x000d, "HCI_LE_Create_Connection";
    LE_CREATE_CONNECTION_CANCEL = 0x08, 0x000e, "HCI_LE_Create_Connection_Cancel";
    LE_CONNECTION_UPDATE = 0x08, 0x0013, "HCI_LE_Connection_Update";
    LE_SET_CHANNEL_CLASSIFICATION = 0x08, 0x0014, "HCI_LE_Set_Host_Channel_Classification";
    LE_READ_CHANNEL_MAP = 0x08, 0x0015, "HCI_LE_Read_Channel_Map";
    LE_READ_REMOTE_FEATURES = 0x08, 0x0016, "HCI_LE_Read_Remote_Features_Page_0";
    LE_RAND = 0x08, 0x0018, "HCI_LE_Rand";
    LE_ENABLE_ENCRYPTION = 0x08, 0x0019, "HCI_LE_Enable_Encryption";
    LE_LONG_TERM_KEY_REPLY = 0x08, 0x001a, "HCI_LE_Long_Term_Key_Request_Reply";
    LE_LONG_TERM_KEY_NEGATIVE_REPLY = 0x08, 0x001b, "HCI_LE_Long_Term_Key_Request_Negative_Reply";
    LE_READ_SUPPORTED_STATES = 0x08, 0x001c, "HCI_LE_Read_Supported_States";
    LE_PARAMETER_REQUEST_REPLY = 0x08, 0x0020, "HCI_LE_Remote_Connection_Parameter_Request_Reply";
    LE_PARAMETER_REQUEST_NEGATIVE_REPLY = 0x08, 0x0021, "HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply";
    LE_SET_DATA_LENGTH = 0x08, 0x0022, "HCI_LE_Set_Data_Length";
    LE_READ_SUGGESTED_DATA_LENGTH = 0x08, 0x0023, "HCI_LE_Read_Suggested_Default_Data_Length";
    LE_WRITE_SUGGESTED_DATA_LENGTH = 0x08, 0x0024, "HCI_LE_Write_Suggested_Default_Data_Length";
    LE_READ_MAXIMUM_DATA_LENGTH = 0x08, 0x002f, "HCI_LE_Read_Maximum_Data_Length";
    LE_READ_PHY = 0x08, 0x0030, "HCI_LE_Read_PHY";
    LE_SET_DEFAULT_PHY = 0x08, 0x0031, "HCI_LE_Set_Default_PHY";
    LE_SET_PHY = 0x08, 0x0032, "HCI_LE_Set_PHY";
    LE_FRAME_SPACE_UPDATE = 0x08, 0x009d, "HCI_LE_Frame_Space_Update";
}

impl Opcode {
    /// The name in the specification, if this project knows the command.
    pub fn name(self) -> Option<&'static str> {
        ALL.iter().find(|(opcode, _)| *opcode == self).map(|(_, name)| *name)
    }
}
