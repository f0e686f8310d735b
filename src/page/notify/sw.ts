// The service worker: shows push messages, and opens their place in the page when somebody taps them. It keeps no files of
// the page, so that a new version is never hidden by an old one.
import { readPush } from './push-message.ts';

/** The parts of a service worker that are used; the types of DOM and workers exclude each other. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageWindow[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(
    type: 'push',
    listener: (event: Lasting & { data: { text(): string } | null }) => void,
  ): void;
  addEventListener(
    type: 'notificationclick',
    listener: (event: Lasting & { notification: Notification }) => void,
  ): void;
}
interface PageWindow {
  readonly url: string;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

const scope = self as unknown as WorkerScope;
const PRODUCT = 'Queues';

scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener('push', (event) => {
  const { title, body, tag, place, image, isUrgent } = readPush(event.data?.text() ?? null, PRODUCT);
  const options = {
    body,
    tag,
    // Phones draw no SVG here.
    icon: './icon-192.png',
    ...(image !== null && { image: `.${image}` }),
    data: { place },
    requireInteraction: isUrgent,
  };
  event.waitUntil(scope.registration.showNotification(title, options));
});

scope.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { place = '#/' } = (event.notification.data ?? {}) as { place?: string };
  event.waitUntil(open(new URL(place, scope.registration.scope).href));
});

/** In a window of the page where there is one, else in a new one. */
async function open(url: string): Promise<void> {
  const windows = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find((each) => each.url.startsWith(scope.registration.scope));
  if (!shown) {
    await scope.clients.openWindow(url);
    return;
  }
  await shown.navigate(url);
  // Only a tap of a person allows it.
  await shown.focus().catch(() => undefined);
}
