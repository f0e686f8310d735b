import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLoginLink } from '../../../src/access/administer.ts';
import type { ApiUser } from '../../support/api.ts';
import { checkAccessible, checkFitsPhone, type Site, startSite } from '../../support/page/browser.ts';

let site: Site;
let ada: ApiUser;
beforeAll(async () => {
  site = await startSite();
  ada = await site.api.user();
}, 60_000);
afterAll(() => site?.stop());

const codeFor = async (user: ApiUser): Promise<string> => {
  const { email } = await site.api.context.db.user.findUniqueOrThrow({ where: { id: user.userId } });
  return (await createLoginLink(site.api.context, email, { role: 'owner', screen: false })).code;
};

test('a link with a code signs in, and the code leaves the address', async () => {
  const page = await site.openPage({ path: `/enter?code=${await codeFor(ada)}` });
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  expect(page.url()).toBe(`${site.url}/#/`);
  await page.goBack().catch(() => null);
  expect(page.url()).not.toContain('code');
});

test.each(['light', 'dark'] as const)('the sign-in is accessible and fits a phone (%s)', async (theme) => {
  const page = await site.openPage({ theme });
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await checkAccessible(page);
  await checkFitsPhone(page);
});
