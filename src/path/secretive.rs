//! Files that keep secrets, by their names: environments, keys, credentials. What is in them is often no token of a known
//! form, so that only the name tells.

use super::RepoPath;

/// Whole names, in lower case.
const NAMES: &[&str] = &[
    ".dockercfg",
    ".envrc",
    ".git-credentials",
    ".htpasswd",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    "_netrc",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "kubeconfig",
    "secrets.json",
    "secrets.toml",
    "secrets.yaml",
    "secrets.yml",
];

/// What such names end with.
const ENDINGS: &[&str] = &[".jks", ".kdbx", ".key", ".keystore", ".p12", ".pem", ".pfx", ".ppk", ".tfstate", ".tfvars"];

/// Folders of which that is true of everything in them.
const FOLDERS: &[&str] = &[".aws", ".docker", ".gnupg", ".kube", ".ssh"];

/// What an environment's file is called when it is an example for others.
const EXAMPLES: &[&str] = &["default", "defaults", "dist", "example", "sample", "template"];

impl RepoPath {
    /// Is it called as files are that keep secrets?
    pub fn keeps_secrets(&self) -> bool {
        let path = self.0.to_ascii_lowercase();
        let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let environment = name.strip_prefix(".env").is_some_and(|rest| {
            rest.is_empty()
                || rest.strip_prefix('.').is_some_and(|rest| !rest.split('.').any(|part| EXAMPLES.contains(&part)))
        });
        environment
            || name.ends_with(".env")
            || NAMES.contains(&name)
            || ENDINGS.iter().any(|ending| name.ends_with(ending))
            || folders.split('/').any(|folder| FOLDERS.contains(&folder))
    }
}

#[cfg(test)]
mod tests {
    use crate::path::RepoPath;

    #[test]
    fn a_file_that_keeps_secrets_is_known_by_its_name() {
        let keeps = |path: &str| RepoPath::new(path).unwrap().keeps_secrets();
        for path in
            [".env", "deploy/.env.production", "prod.env", "tls/server.KEY", ".ssh/config", "web/.npmrc", "id_rsa"]
        {
            assert!(keeps(path), "{path}");
        }
        for path in [".env.example", "src/env.py", "src/keys.rs", "docs/secrets.md", "environment.yml", ".environment"]
        {
            assert!(!keeps(path), "{path}");
        }
    }
}
