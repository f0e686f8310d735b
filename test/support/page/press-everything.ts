import type { Page } from 'playwright-core';
import { GO } from './screens.ts';

/** What somebody has found who pressed everything at a place. */
export interface Pressed {
  /** Names of the controls, each once. */
  readonly controls: readonly string[];
  /** Other places to which links and buttons lead, without their queries. */
  readonly places: readonly string[];
}

/**
 * Runs in the page: fills every field, then presses each button, tab, checkbox, summary and option that it sees, also in the
 * dialogs that open, and sends each form. Events are dispatched by script: the position and the covering of a control do not
 * matter here, and a press takes a few milliseconds.
 */
const PRESS = `(async (place) => {
  const MOST = 400;
  const pause = () => new Promise((resolve) => setTimeout(resolve, 4));
  const isIdle = () => document.querySelector('h1, [role=alert], dialog[open]') &&
    !document.querySelector('[role=status][aria-label=Loading], button[aria-busy=true]');
  const settled = async () => { do await pause(); while (!isIdle()); };
  const placeNow = () => location.hash.slice(1).split('?')[0];
  const [home] = place.split('?');
  const isSeen = (control) => !control.disabled && !control.closest('[inert]') &&
    control.checkVisibility({ visibilityProperty: true });
  const dialogs = () => [...document.querySelectorAll('dialog[open]')];
  const scope = () => dialogs().at(-1) ?? document.querySelector('main');
  const nameOf = (control) => [
    control.closest('dialog')?.querySelector('h2')?.textContent ?? '',
    control.closest('[role=tabpanel]')?.getAttribute('aria-labelledby') ?? '', control.tagName, control.type ?? '',
    control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? control.textContent, control.value ?? '',
  ].join('|').slice(0, 120);
  /** With the same name several times: each of them. */
  const named = (controls) => {
    const seen = new Map();
    return controls.map((control) => {
      const name = nameOf(control);
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return [name + '|' + seen.get(name), control];
    });
  };
  const find = (selector) => named([...(scope()?.querySelectorAll(selector) ?? [])].filter(isSeen));
  const VALUES = { email: 'a@example.com', number: '1', date: '2026-11-01', time: '10:00', url: 'https://example.com/',
    'datetime-local': '2026-11-01T10:00', month: '2026-11', range: '1', color: '#000000' };
  const filled = new WeakSet();
  const fill = async () => {
    const fields = 'input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea, select';
    for (const [, field] of find(fields)) {
      if (filled.has(field)) continue;
      filled.add(field);
      const isSelect = field.tagName === 'SELECT';
      const value = isSelect ? [...field.options].findLast(({ disabled }) => !disabled)?.value : VALUES[field.type] ?? '1';
      if (value === undefined) continue;
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value);
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
      await pause();
    }
  };
  /** Another tab only when everything in this one was pressed; what closes a dialog last. */
  const rankOf = (control) => {
    const isClosing = control.closest('dialog') && /^(Close|Cancel)$/.test(control.getAttribute('aria-label') ?? control.textContent);
    return isClosing ? 2 : control.role === 'tab' ? 1 : 0;
  };
  const pressed = new Set();
  const places = new Set();
  const next = () => {
    const left = find('button, [role=button], [role=tab], summary, input[type=checkbox], input[type=radio], form, a[href^="#/"]')
      .filter(([name]) => !pressed.has(name));
    return left.find(([, control]) => rankOf(control) === 0) ?? left.find(([, control]) => rankOf(control) === 1) ?? left[0];
  };
  const go = async () => {
    await ${GO}(place);
    await settled();
  };
  await go();
  for (;;) {
    await fill();
    const found = next();
    if (!found) {
      if (dialogs().length === 0) break;
      dialogs().at(-1).dispatchEvent(new Event('cancel', { cancelable: true }));
      await pause();
      if (dialogs().length > 0) break;
      continue;
    }
    const [name, control] = found;
    pressed.add(name);
    if (pressed.size > MOST) throw new Error('More than ' + MOST + ' controls at ' + place);
    if (control.tagName === 'A') {
      places.add(control.hash.slice(1).split('?')[0]);
      continue;
    }
    if (control.tagName === 'FORM') control.requestSubmit();
    else control.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
    await settled();
    if (placeNow() === home) continue;
    places.add(placeNow());
    await go();
  }
  return { controls: [...pressed], places: [...places] };
})`;

/** Goes to a place, and presses everything there until nothing new appears. */
export const pressEverything = async (page: Page, place: string): Promise<Pressed> =>
  page.evaluate<Pressed>(`${PRESS}(${JSON.stringify(place)})`);

/** Calls that read although their method is POST. */
const READS = /\/api\/v1\/(analysis\/insights\/search|alerts\/rules\/preview)$/;

/** Notes each call of a page that would change something. @returns the growing list */
export function noteWrites(page: Page): readonly string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isRead = request.method() === 'GET' || READS.test(pathname);
    if (pathname.includes('/api/v1/') && !isRead) writes.push(`${request.method()} ${pathname}`);
  });
  return writes;
}
