import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiUser } from '../../support/api.ts';
import { checkAccessible, type Site, startSite } from '../../support/page/browser.ts';

const MARKUP = '<b>till</b>';
let site: Site;
let ada: ApiUser;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
});
afterAll(() => site?.stop());

describe('keys and sessions', () => {
  test('a key is created, shown once, used, and revoked', async () => {
    const page = await site.openPage({ path: '/keys?tab=keys', user: ada });
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByText('Enter what it is for.').waitFor();
    await dialog.getByLabel('What for').fill(MARKUP);
    await dialog.getByRole('button', { name: 'Manager' }).click();
    expect(await dialog.getByLabel('Start and stop counting').isChecked()).toBe(true);
    await checkAccessible(page);
    await dialog.getByRole('button', { name: 'Create a key' }).click();
    const key = await page.getByRole('textbox', { name: 'Key' }).inputValue();
    const used = await fetch(`${site.url}/api/v1/scenes`, { headers: { authorization: `Bearer ${key}` } });
    expect(used.status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: MARKUP });
    await row.waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('a link signs in another device, which is then signed out', async () => {
    const page = await site.openPage({ path: '/keys', user: ada, theme: 'dark' });
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: 'Sign in a phone or screen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(`Tablet ${MARKUP}`);
    await dialog.getByRole('button', { name: 'Show the code' }).click();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await dialog.getByText('This address works on this computer only.').waitFor();
    await checkAccessible(page);
    const link = await dialog.getByRole('textbox').inputValue();
    const other = await site.openPage({ path: link.slice(link.indexOf('#') + 1) });
    await other.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
    await other.goto(`${site.url}/#/keys`);
    await other.getByText('You may not see this').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.reload();
    const row = page.getByRole('row').filter({ hasText: `Tablet ${MARKUP}` });
    await row.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('name, clock and language of the account are changed, and its password', async () => {
    const page = await site.openPage({ path: '/keys?tab=account', user: ada, width: 'wide' });
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByLabel('Language').selectOption('de');
    await checkAccessible(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Zugänge' }).waitFor();
    const { db } = site.api.context;
    const where = { id: ada.userId };
    const account = await db.user.findUniqueOrThrow({ where });
    expect(account).toMatchObject({ name: 'Ada', timezone: 'Asia/Tokyo', locale: 'de' });
    await page.getByLabel('Neues Passwort').fill('short');
    await page.getByRole('button', { name: 'Passwort setzen' }).click();
    await page.getByText('Mindestens 10 Zeichen.', { exact: true }).waitFor();
    await page.getByLabel('Neues Passwort').fill('seven tills on a rainy day');
    await page.getByRole('button', { name: 'Passwort setzen' }).click();
    await page.getByText('Das Passwort ist geändert.').waitFor();
    await page.getByLabel('Bisheriges Passwort').waitFor();
  });
});
