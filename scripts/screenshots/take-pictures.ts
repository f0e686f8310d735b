import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { nodeArguments } from '../../src/platform/processes/program-file.ts';
import type { Installation } from '../support/installation.ts';
import { progress } from '../support/terminal.ts';
import type { Shop } from './shop.ts';

const SIZES = {
  phone: { width: 390, height: 844, deviceScaleFactor: 2 },
  wide: { width: 1280, height: 800, deviceScaleFactor: 1 },
} as const;
const THEMES = ['light', 'dark'] as const;
/** Time for live pictures and charts after the data is there. */
const SETTLE_MS = 2_500;

/** The screens, by the name of their pictures. */
const screensOf = ({ cameras: [first] }: Shop): Readonly<Record<string, string>> => ({
  now: '/',
  wall: '/wall',
  scene: `/scenes/${first!.sceneId}`,
  history: '/history',
  feed: '/feed',
  rules: '/rules',
  cameras: '/cameras',
  camera: `/cameras/${first!.deviceId}`,
  zones: `/cameras/${first!.deviceId}?tab=zones`,
  recordings: '/recordings',
  usage: '/usage',
  webhook: '/webhook',
  notifications: '/notifications',
  keys: '/keys',
  privacy: '/privacy',
  admin: '/admin',
});

/** What a picture shows: a screen, the size of the device, the theme. */
export type Picture = readonly [screen: string, size: string, theme: string];

export const fileOf = (folder: string, picture: Picture): string => join(folder, `${picture.join('-')}.png`);

/** Signs in on each kind of device and takes a picture of every screen. @returns how many */
export async function takePictures(
  browser: Browser,
  installation: Installation,
  { shop, folder, locale }: { readonly shop: Shop; readonly folder: string; readonly locale: string },
): Promise<number> {
  await installation.query(`UPDATE "User" SET "isAdmin" = true, name = 'Market Street'`);
  const screens = Object.entries(screensOf(shop));
  const total = screens.length * Object.keys(SIZES).length * THEMES.length;
  const bar = progress('pictures', total, 'pictures');
  for (const [size, { deviceScaleFactor, ...viewport }] of Object.entries(SIZES)) {
    const options = { viewport, deviceScaleFactor, hasTouch: size === 'phone', locale };
    const context = await browser.newContext({ ...options, timezoneId: 'Europe/Berlin' });
    const page = await signIn(context, installation);
    for (const theme of THEMES) {
      await page.emulateMedia({ colorScheme: theme });
      for (const [screen, place] of screens) {
        await open(page, place);
        await page.screenshot({ path: fileOf(folder, [screen, size, theme]) });
        bar.step();
      }
    }
    await context.close();
  }
  bar.stop();
  return total;
}

async function signIn(context: BrowserContext, { environment, baseUrl }: Installation): Promise<Page> {
  const argv = [...nodeArguments('scripts/admin.ts'), 'login-link', 'demo@localhost', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    env: { ...process.env, ...environment },
  });
  const { code } = JSON.parse(stdout) as { readonly code: string };
  const page = await context.newPage();
  await page.goto(`${baseUrl}/#/enter?code=${code}`);
  await page.getByRole('navigation').first().waitFor();
  return page;
}

async function open(page: Page, place: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
  const settled = page.locator('body:has(h1):not(:has([role=status][aria-label=Loading]))');
  await settled.waitFor({ timeout: 20_000 }).catch(() => process.stderr.write(`${place} is still loading\n`));
  await page.waitForTimeout(SETTLE_MS);
}
