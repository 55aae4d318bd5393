// Finds a Chrome, Chromium or Edge to test with, or gets one.
import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SetupError } from "./npm.mjs";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "msedge",
];

const advice =
  "No Chrome, Chromium or Edge was found, and none could be installed. Install one of them, or set REINS_CHROMIUM to its executable, then run the same command again.";

/**
 * The executable of a Chromium-based browser: `REINS_CHROMIUM`, else an installed one, else Debian's package (as root),
 * else Playwright's own download. Rejects with a SetupError that says what to install.
 */
export async function ensureChromium(): Promise<string> {
  return (
    findInstalled() ??
    (installDebianPackage() ? findInstalled() : undefined) ??
    (await downloadWithPlaywright())
  );
}

/** The executable of an installed browser, without installing any. */
export function findInstalled(): string | undefined {
  const chosen = process.env["REINS_CHROMIUM"];
  if (chosen) return chosen;
  return [...onPath(), ...inUsualPlaces()].find(isExecutable);
}

function onPath(): string[] {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name + suffix)));
}

function inUsualPlaces(): string[] {
  if (process.platform === "darwin")
    return ["Google Chrome", "Chromium", "Microsoft Edge"].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (process.platform !== "win32") return ["/snap/bin/chromium", "/opt/google/chrome/chrome"];
  const programs = [
    process.env["PROGRAMFILES"],
    process.env["PROGRAMFILES(X86)"],
    process.env["LOCALAPPDATA"],
  ];
  const products = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];
  return programs.flatMap((folder) => (folder ? products.map((product) => join(folder, product)) : []));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns whether it tried and apt-get said it had succeeded */
function installDebianPackage(): boolean {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return false;
  console.log("Installing Debian's chromium (about a minute) …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  try {
    execFileSync("apt-get", ["update", "-qq"], { env, stdio: "ignore" });
    execFileSync(
      "apt-get",
      ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
      {
        env,
        stdio: "ignore",
      },
    );
    return true;
  } catch {
    return false; // The next way is tried, and the last one tells the user.
  }
}

async function downloadWithPlaywright(): Promise<string> {
  const { chromium } = await import("playwright-core");
  const expected = chromium.executablePath();
  if (isExecutable(expected)) return expected;
  console.log("Downloading Chromium with Playwright (about a minute) …");
  const cli = fileURLToPath(import.meta.resolve("playwright-core/package.json")).replace(
    "package.json",
    "cli.js",
  );
  try {
    execFileSync(process.execPath, [cli, "install", "chromium"], { stdio: "ignore" });
  } catch {
    throw new SetupError(`${advice}${linuxHint()}`);
  }
  if (!isExecutable(expected)) throw new SetupError(`${advice}${linuxHint()}`);
  return expected;
}

function linuxHint(): string {
  if (!existsSync("/etc/os-release")) return "";
  const debian = /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync("/etc/os-release", "utf8"));
  return debian ? " On Debian: sudo apt-get install chromium" : "";
}
