// Files that hold keys and passwords by custom: they are read only after the user said so, each time.

const names = new Set([
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".htpasswd",
  ".npmrc",
  ".pypirc",
  "credentials",
  "credentials.json",
  "credentials.yml",
  "secrets.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.toml",
  "service-account.json",
  "terraform.tfstate",
  "kubeconfig",
]);

const folders = new Set([".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker"]);

const patterns: readonly RegExp[] = [
  // .env and its variants, but not the examples that are made to be read.
  /^\.env(rc)?(\.(?!(example|sample|template|dist|defaults)$)[^/]*)?$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_[^.]*)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc)$/,
  /^.*\.tfvars(\.json)?$/,
];

/** Whether a path or URI names such a file. Case does not count, as on some disks. */
export function isSecretPath(path: string): boolean {
  const segments = decode(path).toLowerCase().split(/[\\/]/);
  // Windows ignores trailing dots and spaces of a name.
  const name = (segments.at(-1) ?? "").replace(/[. ]+$/, "");
  if (names.has(name) || patterns.some((pattern) => pattern.test(name))) return true;
  return segments.slice(0, -1).some((segment) => folders.has(segment)) && !name.endsWith(".pub");
}

/** The path of a URI has its percent signs as text. */
function decode(path: string): string {
  try {
    return /^[a-z][a-z0-9+.-]+:/i.test(path) ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}
