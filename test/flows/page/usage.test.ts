import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeBaseLimit } from '../../../src/billing/base.store.ts';
import { chargeOne } from '../../billing/books.ts';
import { type ApiUser, shopOf, TestClock } from '../../support/api.ts';
import { checkLooks, type Site, startSite } from '../../support/page/browser.ts';

let site: Site;
let ada: ApiUser;
/** In the middle of the next month: no month ends meanwhile, and what looks at another clock is found. */
const clock = new TestClock();
clock.time.setUTCMonth(clock.time.getUTCMonth() + 1, 15);
const monthStart = new Date(`${clock.now().toISOString().slice(0, 7)}-01T00:00:00Z`);
const HOUR = 3600;

beforeAll(async () => {
  site = await startSite({ clock });
  ada = await site.api.user();
  const { deviceId } = await shopOf(ada);
  const { db } = site.api.context;
  const owner = { userId: ada.userId, deviceId };
  const limit = { userId: ada.userId, period: '', scope: 'user', scopeId: ada.userId } as const;
  await writeBaseLimit(db, { ...limit, feature: 'alert' }, 10);
  await writeBaseLimit(db, { ...limit, feature: 'vlm' }, 1000);
  await writeBaseLimit(db, { ...limit, feature: 'analysis' }, 100 * HOUR);
  await writeBaseLimit(db, { ...limit, feature: 'attribute' }, null);
  const occurredAt = monthStart;
  await chargeOne(db, owner, { feature: 'analysis', quantity: 20 * HOUR, occurredAt });
  await chargeOne(db, owner, { feature: 'alert', quantity: 12, occurredAt });
  await chargeOne(db, owner, { feature: 'vlm', quantity: 850, occurredAt });
});
afterAll(() => site?.stop());

test('meters show what was used, what is left and what is used up', async () => {
  const page = await site.openPage({ path: '/usage', user: ada, width: 'wide' });
  const meter = (name: string) =>
    page
      .getByRole('main')
      .locator('section')
      .filter({ has: page.getByRole('heading', { name, exact: true }) });
  await meter('Counting').getByText('20 h of 100 h · 80 h left').waitFor();
  await meter('Alerts').getByText('2 over the limit').waitFor();
  await meter('Alerts').getByText('Alerts are still stored and sent.').waitFor();
  await meter('Descriptions and searches').getByText('almost used up').waitFor();
  await meter('Attributes of people').getByText('no limit').waitFor();
  const { features, asOf } = (await ada.get('/billing/dashboard/forecast')).body.data;
  const { projectedExceedAt } = features.vlm;
  if (projectedExceedAt && projectedExceedAt > asOf) {
    const day = new Intl.DateTimeFormat('en-GB', {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    });
    await meter('Descriptions and searches')
      .getByText(day.format(new Date(projectedExceedAt)))
      .waitFor();
  }
  const row = page.getByRole('table', { name: 'By camera' }).getByRole('row').nth(1);
  expect(await row.textContent()).toContain('Shop');
  const ledger = page.getByRole('table', { name: 'Ledger' });
  await ledger.getByRole('row').nth(5).waitFor();
  await page.getByRole('slider', { name: /^Used per day: Counting/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Ledger (CSV)' }).click(),
  ]);
  expect(await readFile((await download.path())!, 'utf8')).toContain('consumption');
  await checkLooks(page);
});

test('a month stands in the address; one that has not begun is this month', async () => {
  const page = await site.openPage({ path: '/usage', user: ada });
  const shown = (month: Date) =>
    new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(month);
  await page.getByText(shown(monthStart)).waitFor();
  await page.getByRole('button', { name: 'Month before' }).click();
  await page.getByText(shown(new Date(monthStart.getTime() - 1))).waitFor();
  expect(page.url()).toContain('month=');
  await page.getByText('No camera has used anything in this month').waitFor();
  await page.goto(`${site.url}/#/usage?month=2999-01`);
  await page.getByText(shown(monthStart)).waitFor();
});

test('who may not see the usage is told which right is missing', async () => {
  const page = await site.openPage({ path: '/usage', user: ada, role: 'manager' });
  await page.getByText('billing:read').first().waitFor();
});
