// Files that make programs run code later, without anyone opening them: changes of these are always looked at.

const folders = new Set([
  ".git",
  ".vscode",
  ".idea",
  ".husky",
  ".devcontainer",
  ".reins",
  ".ssh",
  ".cargo",
  ".yarn",
]);

const names = new Set([
  ".reinsignore",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".envrc",
  ".gitconfig",
  ".gitmodules",
  ".gitattributes",
  ".pre-commit-config.yaml",
  ".bashrc",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
]);

/** Whether a path or URI names such a file, or something in such a folder. Case does not count, as on some disks. */
export function isSensitivePath(path: string): boolean {
  const segments = path.toLowerCase().split(/[\\/]/);
  const name = segments.at(-1) ?? "";
  return (
    segments.some((segment) => folders.has(segment)) ||
    names.has(name) ||
    name.endsWith(".code-workspace") ||
    segments.join("/").includes(".github/workflows/")
  );
}
