import webPush from 'web-push';
import type { Context } from '../../platform/context.ts';
import { storedPushKeys } from './push-keys.store.ts';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const BINDING = 'push.privateKey';

type KeyContext = Pick<Context, 'db' | 'sealer'>;

const stored = ({ db, sealer }: KeyContext) =>
  storedPushKeys(db, () => {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    return { publicKey, privateKeyEncrypted: sealer.seal(privateKey, BINDING) };
  });

/** The key that a browser needs to subscribe. The first call makes it. */
export const publicPushKey = async (context: KeyContext): Promise<string> =>
  (await stored(context)).publicKey;

/** @returns null when ENCRYPTION_KEYS lacks the key that sealed them */
export async function pushKeys(context: KeyContext): Promise<PushKeys | null> {
  const { publicKey, privateKeyEncrypted } = await stored(context);
  try {
    return { publicKey, privateKey: context.sealer.open(privateKeyEncrypted, BINDING) };
  } catch {
    return null;
  }
}
