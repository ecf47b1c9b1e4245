    pub u8s: u8,
    pub u32s: Option<u32>,
    pub u64s: u64,
    pub sizes: Vec<usize>,
    pub i16s: i16,
    pub i128s: i128,
    pub floats: f32,
    pub letter: char,
    #[schemars(range(min = 1, max = 65535))]
    pub port: u16,
    pub plain: Plain,
    #[serde(default)]
    pub plain_default: Plain,
    pub plain_option: Option<Plain>,
    pub documented: Option<Documented>,
    pub data: Data,
    pub data_option: Option<Data>,
    #[serde(default)]
    pub inner: Inner,
    pub map: std::collections::BTreeMap<String, Inner>,
    pub list: Vec<Inner>,
    pub texts: std::collections::BTreeSet<String>,
    pub limits: Option<k8s_openapi::api::core::v1::ResourceRequirements>,
    pub pod: Option<k8s_openapi::api::core::v1::PodTemplateSpec>,
    pub selector: Option<metav1::LabelSelector>,
    pub int_or_string: Option<k8s_openapi::apimachinery::pkg::util::intstr::IntOrString>,
    pub quantity: Option<k8s_openapi::apimachinery::pkg::api::resource::Quantity>,
    pub time: Option<metav1::Time>,
    pub any: serde_json::Map<String, serde_json::Value>,
    pub duration: std::time::Duration,
    #[serde(default)]
    pub denies: Denies,
    #[serde(flatten)]
    pub flat: Flat,
}

/// Without comments at its variants.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub enum Plain {
    #[default]
    A,
    B,
}

/// With them.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub enum Documented {
    /// One.
    #[default]
    A,
    /// The other.
    B,
}

/// One of two.
#[derive(schemars::JsonSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Data {
    /// A text.
    A(String),
    /// A struct.
    B {
        /// A number.
        x: i32,
    },
}

impl Default for Data {
    fn default() -> Self {
        Self::A(String::new())
    }
}

/// A struct.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct Inner {
    pub a: Option<String>,
    pub some_b: i32,
}

/// A struct that takes nothing else.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct Denies {
    pub a: i32,
}

/// A struct within another.
#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, Default, PartialEq)]
pub struct Flat {
    pub flat_a: i32,
    pub flat_b: Option<u8>,
}
