import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ApiCallError, type ApiClient } from '../support/api-client.ts';
import { certificateFile, RECEIVER_FOLDER, readIdentity } from '../webhook-receiver/certificate.ts';

/** Allows the host of `--webhook`, which may be this machine, and trusts the certificate of our receiver. */
export function webhookEnvironment(url: string): Record<string, string> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw new Error(
      '--webhook needs an https:// address: `npm run webhook-receiver` starts a receiver and prints one.',
    );
  }
  const file = resolve(certificateFile(RECEIVER_FOLDER));
  return {
    WEBHOOK_ALLOW_HOSTS: new URL(url).hostname.replace(/^\[|\]$/g, ''),
    ...(existsSync(file) && { WEBHOOK_CA_FILE: file }),
  };
}

/**
 * Sets up the webhook of the demo user, with the secret of our receiver if it was started here, and sends a test. Adds a
 * rule that fires as soon as somebody waits, so that there are alerts.
 */
export async function ensureWebhook(
  client: ApiClient,
  { url, sceneId }: { url: string; sceneId: string },
): Promise<void> {
  const secret = readIdentity(RECEIVER_FOLDER)?.secret;
  const body = { url, ...(secret && { secret }) };
  try {
    await client.post('/users/me/webhook', body);
  } catch (error) {
    if (!(error instanceof ApiCallError && error.code === 'WEBHOOK_EXISTS')) throw error;
    await client.patch('/users/me/webhook', { ...body, status: 'enabled' });
  }
  await client.post('/users/me/webhook/test', undefined);
  const rules = await client.get<unknown[]>(`/alerts/rules?sceneId=${sceneId}&limit=1`);
  if (rules.length > 0) return;
  await client.post('/alerts/rules', {
    ...{ name: 'Somebody waits', sceneId, severity: 'warning', cooldownMinutes: 1 },
    conditions: [{ metricPath: 'current.inQueue', operator: 'GTE', threshold: 1 }],
  });
}
