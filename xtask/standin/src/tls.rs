//! TLS: a certificate from a folder, made where there is none, and a task in front of the server that speaks it.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use tokio_rustls::rustls::{ServerConfig, client::verify_server_name, server::ParsedCertificate};

use crate::keep::Keeper;

/// The certificate that the server shows, with those that lead to its issuer.
const CERTIFICATE: &str = "cert.pem";
/// The key of the certificate.
const KEY: &str = "key.pem";
/// The certificate of the issuer, where this program has made one.
const AUTHORITY: &str = "ca.pem";
/// The time that a client has for the handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// The pause after a connection could not be accepted.
const RETRY: Duration = Duration::from_millis(100);

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read or written.
    #[error("cannot use {}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// One of the two files is missing.
    #[error("{} is missing beside the other of {CERTIFICATE} and {KEY}; add it, or remove the other to have both made", file.display())]
    Half {
        /// The missing file.
        file: PathBuf,
    },
    /// A file holds something else.
    #[error("{} cannot be used: {why}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Why.
        why: String,
    },
    /// The certificate is that of other hosts.
    #[error("{} is not for {host}; remove {CERTIFICATE} and {KEY} to have them made, or name the host that it is for", file.display())]
    OtherHost {
        /// The file.
        file: PathBuf,
        /// The host.
        host: String,
    },
    /// No certificate could be made.
    #[error("cannot make a certificate: {0}")]
    Unmade(String),
}

/// Reads the certificate of a folder, or makes it there, for these hosts and this machine. The last host must be in it.
pub(crate) fn acceptor(folder: &Path, hosts: &[&str]) -> Result<TlsAcceptor, TlsError> {
    let (cert, key) = (folder.join(CERTIFICATE), folder.join(KEY));
    match (cert.exists(), key.exists()) {
        (true, true) => {}
        (false, false) => make(folder, hosts)?,
        (true, false) => return Err(TlsError::Half { file: key }),
        (false, true) => return Err(TlsError::Half { file: cert }),
    }
    let malformed = |file: &Path, why: String| TlsError::Malformed { file: file.to_owned(), why };
    let read = |file: &Path| {
        fs::read(file).map_err(|source| TlsError::File { file: file.to_owned(), source })
    };
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&read(&cert)?).collect();
    let chain = chain.map_err(|error| malformed(&cert, error.to_string()))?;
    let Some(first) = chain.first() else {
        return Err(malformed(&cert, "it has no certificate in PEM".to_owned()));
    };
    let parsed = ParsedCertificate::try_from(first);
    let parsed = parsed.map_err(|error| malformed(&cert, error.to_string()))?;
    if let Some(host) = hosts.last() {
        let name =
            ServerName::try_from(*host).map_err(|error| malformed(&cert, error.to_string()))?;
        if verify_server_name(&parsed, &name).is_err() {
            return Err(TlsError::OtherHost { file: cert, host: (*host).to_owned() });
        }
    }
    let secret = PrivateKeyDer::from_pem_slice(&read(&key)?);
    let secret = secret.map_err(|error| malformed(&key, error.to_string()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|config| config.with_no_client_auth().with_single_cert(chain.clone(), secret));
    let mut config = config.map_err(|error| malformed(&key, error.to_string()))?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

/// Makes an issuer and a certificate of it. The issuer's key is not kept: nobody can make further certificates that its clients trust.
fn make(folder: &Path, hosts: &[&str]) -> Result<(), TlsError> {
    let unmade = |error: rcgen::Error| TlsError::Unmade(error.to_string());
    let mut issuer = CertificateParams::default();
    issuer.distinguished_name.push(DnType::CommonName, "Fedispec stand-in, for tests");
    issuer.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    issuer.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::DigitalSignature];
    let issuer_key = KeyPair::generate().map_err(unmade)?;
    let issuer = CertifiedIssuer::self_signed(issuer, issuer_key).map_err(unmade)?;
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    names.extend(hosts.iter().map(|host| (*host).to_owned()));
    names.sort();
    names.dedup();
    let mut params = CertificateParams::new(names).map_err(unmade)?;
    let name = hosts.last().copied().unwrap_or("localhost");
    params.distinguished_name.push(DnType::CommonName, name);
    params.use_authority_key_identifier_extension = true;
    params.extended_key_usages = vec![rcgen::ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate().map_err(unmade)?;
    let cert = params.signed_by(&key, &issuer).map_err(unmade)?;
    let failed = |file: &Path, source| TlsError::File { file: file.to_owned(), source };
    fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    // The certificate comes last: without it the next start makes all of them anew, or says what is missing.
    for (name, text) in
        [(AUTHORITY, issuer.pem()), (KEY, key.serialize_pem()), (CERTIFICATE, cert.pem())]
    {
        let file = folder.join(name);
        write(&file, &text).map_err(|source| failed(&file, source))?;
    }
    Ok(())
}

/// Writes a file that its owner alone can read.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(text.as_bytes())
}

/// Takes the connections of a listener, and passes what comes through TLS on to another listener of this machine, which it answers.
pub(crate) async fn front(
    listener: TcpListener,
    acceptor: TlsAcceptor,
) -> io::Result<(TcpListener, Option<Keeper>)> {
    let behind = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = behind.local_addr()?;
    let task = tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((socket, _)) => drop(tokio::spawn(pass(socket, acceptor.clone(), address))),
                // It is out of files; others may close some.
                Err(_) => tokio::time::sleep(RETRY).await,
            }
        }
    });
    Ok((behind, Some(Keeper::new(task))))
}

/// Passes the bytes of a connection on until one side ends.
async fn pass(socket: TcpStream, acceptor: TlsAcceptor, behind: std::net::SocketAddr) {
    let _ = socket.set_nodelay(true);
    // A client that does not trust the certificate ends here. It has told its user.
    let Ok(Ok(mut outside)) = timeout(HANDSHAKE, acceptor.accept(socket)).await else {
        return;
    };
    if let Ok(mut inside) = TcpStream::connect(behind).await {
        let _ = inside.set_nodelay(true);
        let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
    }
}
