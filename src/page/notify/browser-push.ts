import { answerOf, dataOf } from '../../client/client.ts';
import { api } from '../api/client.ts';
import { deviceName } from './device-name.ts';
import { type BrowserFacts, type PushSupport, pushSupport } from './push-support.ts';

const KEPT = 'pushChannel';
const WORKER = './sw.js';

/** The content security policy allows one policy of trusted types: whatever it is given, it answers our worker. */
const trustedTypes = (
  globalThis as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(): string },
      ): { createScriptURL(url: string): string };
    };
  }
).trustedTypes?.createPolicy('service-worker', { createScriptURL: () => WORKER });

const facts = (): BrowserFacts => ({
  isSecure: isSecureContext,
  hasServiceWorker: 'serviceWorker' in navigator,
  hasPush: 'PushManager' in window && 'Notification' in window,
  permission: 'Notification' in window ? Notification.permission : 'default',
  // Tablets of Apple say that they are a Mac, but have touch.
  isApplePhone:
    /iPhone|iPad/.test(navigator.userAgent) ||
    (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1),
  isInstalled: matchMedia('(display-mode: standalone)').matches,
});

export const browserSupport = (): PushSupport => pushSupport(facts());

/** The channel of this browser, which the API does not tell: it keeps addresses of browsers to itself. */
export const ownChannelId = (): string | null => localStorage.getItem(KEPT);

/** Whether this browser still takes messages for its channel. */
export async function isSubscribed(): Promise<boolean> {
  if (ownChannelId() === null || !('serviceWorker' in navigator)) return false;
  const registration = await navigator.serviceWorker.getRegistration();
  return Boolean(await registration?.pushManager.getSubscription());
}

export class PushRefused extends Error {
  override readonly name = 'PushRefused';
}

/**
 * Asks the person and subscribes this browser; alerts are told to it from then on.
 * @throws PushRefused where the person or the browser refuses, ApiFailure
 */
export async function switchOn(): Promise<void> {
  // The question must come from the click itself, before anything is awaited.
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('denied');
  const { publicKey } = await dataOf(api.GET('/notifications/push-key'));
  const registration = await navigator.serviceWorker.register(
    trustedTypes?.createScriptURL(WORKER) ?? WORKER,
  );
  const { endpoint, keys } = await subscribe(registration, publicKey).catch((error: unknown) => {
    throw new PushRefused('failed', { cause: error });
  });
  const { p256dh = '', auth = '' } = keys ?? {};
  const name = deviceName(navigator.userAgent);
  await removeChannel();
  const channel = await dataOf(
    api.POST('/notifications/channels', {
      body: { kind: 'push', name, endpoint: endpoint ?? '', p256dh, auth },
    }),
  );
  localStorage.setItem(KEPT, channel.id);
  await dataOf(api.POST('/notifications/subscriptions', { body: { channelId: channel.id } }));
}

/** A subscription of before may be for another key, so that it is ended first. */
async function subscribe(
  registration: ServiceWorkerRegistration,
  applicationServerKey: string,
): Promise<PushSubscriptionJSON> {
  await navigator.serviceWorker.ready;
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  return made.toJSON();
}

export async function switchOff(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await removeChannel();
}

async function removeChannel(): Promise<void> {
  const id = ownChannelId();
  if (id === null) return;
  localStorage.removeItem(KEPT);
  const removed = api.DELETE('/notifications/channels/{id}', { params: { path: { id } } });
  // Somebody may have removed it before.
  await answerOf(removed).catch(() => undefined);
}
