import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLoginLink } from '../../../src/access/administer.ts';
import { makeSetupCode } from '../../../src/access/sign-in/set-up.ts';
import type { ApiUser } from '../../support/api.ts';
import {
  checkFitsPhone,
  checkLooks,
  LOOKS,
  runAxe,
  type Site,
  startSite,
} from '../../support/page/browser.ts';

const PASSWORD = 'seven tills on a rainy day';
let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

test('the setup link creates the first administrator, who then signs in with the password', async () => {
  const code = await makeSetupCode(site.api.context);
  const page = await site.openPage({ path: `/setup?code=${code}` });
  await page.getByRole('heading', { name: 'Create the first administrator' }).waitFor();
  expect(page.url()).not.toContain('code');
  await runAxe(page);
  await checkFitsPhone(page);
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create and sign in' }).click();
  await page.getByText('Connect your first camera').waitFor();

  const other = await site.openPage({ path: '/feed' });
  await other.getByLabel('E-mail address').fill('ada@example.com');
  await other.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByText('The e-mail address or the password is wrong').waitFor();
  await other.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
  // The code of the setup is used up, and there is a user.
  expect((await site.api.nobody.get('/setup')).status).toBe(404);
});

const codeFor = async (user: ApiUser, screen = false): Promise<string> => {
  const { email } = await site.api.context.db.user.findUniqueOrThrow({ where: { id: user.userId } });
  const role = screen ? 'viewer' : 'owner';
  return (await createLoginLink(site.api.context, email, { role, screen })).code;
};

test('a link with a code signs in, and the code leaves the address', async () => {
  const page = await site.openPage({ path: `/enter?code=${await codeFor(await site.api.user())}` });
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  expect(page.url()).toBe(`${site.url}/#/`);
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain('code');
});

test('a screen lands on the wall: by its link, over the session of a person, and without a place', async () => {
  const user = await site.api.user();
  const page = await site.openPage({ path: `/enter?code=${await codeFor(user, true)}` });
  await page.waitForURL(`${site.url}/#/wall`);
  for (const place of ['', '#', '#/enter', '#/setup']) {
    await page.goto('about:blank');
    await page.goto(`${site.url}/${place}`);
    await page.waitForURL(`${site.url}/#/wall`);
  }
  const persons = await site.openPage({ user, path: `/enter?code=${await codeFor(user, true)}` });
  await persons.waitForURL(`${site.url}/#/wall`);
  const typed = await site.openPage({ path: '/' });
  await typed.getByRole('tab', { name: 'Code' }).click();
  await typed.getByRole('textbox', { name: 'Code' }).fill(await codeFor(user, true));
  await typed.getByRole('button', { name: 'Sign in' }).click();
  await typed.waitForURL(`${site.url}/#/wall`);
});

test('a code that does not hold says so; who is signed in may go on', async () => {
  const page = await site.openPage({ user: await site.api.user(), path: '/feed?code=wrong' });
  await page.getByText(/This code is not valid/).waitFor();
  expect(page.url()).toBe(`${site.url}/#/feed`);
  await page.getByRole('button', { name: 'Go on as before' }).click();
  await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
});

test('the sign-in is accessible and fits', async () => {
  const page = await site.openPage();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await checkLooks(page, LOOKS, runAxe);
});
