import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { PROJECT } from '../../src/platform/project.ts';

const PACKAGE = '@sparticuz/chromium';
const CACHE = join(PROJECT, 'node_modules/.cache');
const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser'];
/** Without sandbox, because tests run as root in containers; the pages are our own. */
const FLAGS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--force-color-profile=srgb',
];

/** The program of CHROMIUM_PATH, of the system, or of the npm package, which is unpacked once (8 s, 190 MB). */
async function executable(): Promise<{ path: string; fonts?: string }> {
  const given = [process.env.CHROMIUM_PATH, ...INSTALLED].find((path) => path && existsSync(path));
  if (given) return { path: given };
  const manifest = await readFile(join(PROJECT, `node_modules/${PACKAGE}/package.json`), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folder = join(CACHE, `chromium-${version}`);
  if (!existsSync(folder)) await unpackInto(folder);
  return { path: join(folder, 'chromium'), fonts: await writeFonts(folder) };
}

/** Writes the list of fonts again where it names another folder: somebody has moved or copied this one. @returns its path */
async function writeFonts(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf');
  const wanted = fontsIn(folder);
  const present = await readFile(file, 'utf8').catch(() => null);
  if (present === wanted) return file;
  // A file that another process reads is replaced, not changed.
  const draft = `${file}-${randomUUID()}`;
  await writeFile(draft, wanted);
  await rename(draft, file);
  return file;
}

/** The package unpacks into the folder for temporary files; several test files may do it at the same time. */
async function unpackInto(folder: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const made = await mkdtemp(`${folder}-`);
  try {
    const unpack = `import('${PACKAGE}').then(({ default: chromium }) => chromium.executablePath())`;
    await promisify(execFile)(process.execPath, ['-e', unpack], {
      cwd: PROJECT,
      env: { ...process.env, TMPDIR: made },
    });
    // Fails where another process was quicker.
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(join(folder, 'chromium'))) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** The same font for every machine, so that pictures and widths are the same. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
  <match target="pattern"><edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit></match>
</fontconfig>
`;

interface BrowserOptions {
  /** Further flags of Chromium. */
  readonly flags?: readonly string[];
}

/** @returns a Chromium without window; close it at the end */
export async function startChromium({ flags = [] }: BrowserOptions = {}): Promise<Browser> {
  const { path, fonts } = await executable();
  return chromium.launch({
    executablePath: path,
    args: [...FLAGS, ...flags],
    env: { ...process.env, ...(fonts && { FONTCONFIG_FILE: fonts }) } as Record<string, string>,
  });
}
