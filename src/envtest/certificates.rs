//! Throw-away certificates: one authority, P-256 keys, a year.
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, SanType, date_time_ymd,
};

use super::kubeconfig::write_private;
use crate::error::Result;

const HOUR: Duration = Duration::from_secs(60 * 60);
/// How long certificates and tokens are good for.
pub(super) const VALIDITY: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// A certificate or public key and the private key that belongs to it, in PEM.
pub(super) struct Pair {
    pub(super) public: String,
    pub(super) private: String,
}

/// What the API server and its administrator need.
pub(super) struct Certificates {
    /// The authority of both, in PEM and in DER.
    pub(super) authority: String,
    pub(super) authority_der: Vec<u8>,
    /// For 127.0.0.1 and localhost. No authority itself: rustls refuses such a leaf.
    pub(super) serving: Pair,
    /// A client of the group `system:masters`, which RBAC does not restrict.
    pub(super) admin: Pair,
    /// Signs and verifies tokens. The API server wants the public key as such (PKIX), not within the private one.
    pub(super) service_accounts: Pair,
}

impl Certificates {
    /// Makes new ones.
    ///
    /// # Errors
    /// The system has no randomness or no time.
    pub(super) fn generate() -> Result<Self> {
        Ok(generate().context("cannot make certificates")?)
    }

    /// Writes them as files that only the owner may read.
    ///
    /// # Errors
    /// The folder cannot be written to.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let files = [
            ("ca.crt", &self.authority),
            ("apiserver.crt", &self.serving.public),
            ("apiserver.key", &self.serving.private),
            ("admin.crt", &self.admin.public),
            ("admin.key", &self.admin.private),
            ("sa.pub", &self.service_accounts.public),
            ("sa.key", &self.service_accounts.private),
        ];
        let mut files = files.iter();
        files.try_for_each(|(name, text)| write_private(&folder.join(name), text))
    }
}

fn generate() -> anyhow::Result<Certificates> {
    let key = KeyPair::generate()?;
    let mut params = params("rop-envtest", None)?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![
        KeyUsagePurpose::KeyCertSign,
        KeyUsagePurpose::DigitalSignature,
    ];
    let certificate = params.self_signed(&key)?;
    let issuer = Issuer::new(params, key);
    let tokens = KeyPair::generate()?;
    Ok(Certificates {
        authority: certificate.pem(),
        authority_der: certificate.der().to_vec(),
        serving: serving(&issuer)?,
        admin: admin(&issuer)?,
        service_accounts: Pair {
            public: tokens.public_key_pem(),
            private: tokens.serialize_pem(),
        },
    })
}

fn serving(issuer: &Issuer<'_, KeyPair>) -> anyhow::Result<Pair> {
    let mut params = params("kube-apiserver", None)?;
    params.subject_alt_names = vec![
        SanType::IpAddress(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        SanType::DnsName("localhost".try_into()?),
    ];
    leaf(issuer, params, ExtendedKeyUsagePurpose::ServerAuth)
}

fn admin(issuer: &Issuer<'_, KeyPair>) -> anyhow::Result<Pair> {
    let params = params("admin", Some("system:masters"))?;
    leaf(issuer, params, ExtendedKeyUsagePurpose::ClientAuth)
}

fn leaf(
    issuer: &Issuer<'_, KeyPair>,
    mut params: CertificateParams,
    usage: ExtendedKeyUsagePurpose,
) -> anyhow::Result<Pair> {
    let key = KeyPair::generate()?;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![usage];
    params.use_authority_key_identifier_extension = true;
    Ok(Pair {
        public: params.signed_by(&key, issuer)?.pem(),
        private: key.serialize_pem(),
    })
}

/// The common name is Kubernetes' user, the organization its group.
fn params(common_name: &str, organization: Option<&str>) -> anyhow::Result<CertificateParams> {
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, common_name);
    if let Some(organization) = organization {
        name.push(DnType::OrganizationName, organization);
    }
    let now = date_time_ymd(1970, 1, 1) + SystemTime::now().duration_since(UNIX_EPOCH)?;
    let mut params = CertificateParams::default();
    params.distinguished_name = name;
    params.not_before = now - HOUR;
    params.not_after = now + VALIDITY;
    Ok(params)
}
