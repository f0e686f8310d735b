import { ApiError, invalidField, notFound, orNotFound } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import type { Context } from '../../platform/context.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { isUniqueViolation } from '../../platform/database/unique-violation.ts';
import { faultInReceiverUrl } from '../outbox/receiver-url.ts';
import type { CreateWebhook, PatchWebhook } from './schema.ts';
import { makeSecret, OVERLAP_HOURS, openSecret, sealSecret } from './secret.ts';
import {
  findWebhook,
  insertWebhook,
  lockWebhook,
  removeWebhook,
  updateWebhook,
  type Webhook,
  type WebhookColumns,
} from './webhook.store.ts';

export interface WithSecret {
  readonly row: Webhook;
  readonly secret: string;
}

/** @throws ApiError NOT_FOUND when the user has no webhook */
export async function requireWebhook({ db }: Context, userId: string): Promise<Webhook> {
  return orNotFound(await findWebhook(db, userId), 'Webhook');
}

/** @throws ApiError VALIDATION_ERROR, WEBHOOK_EXISTS */
export async function createWebhook(
  context: Context,
  userId: string,
  body: CreateWebhook,
  lastStep?: LastStep<WithSecret>,
): Promise<WithSecret> {
  const { secret = makeSecret(), name, subscribedTypes = [], ...columns } = body;
  acceptUrl(context, body.url);
  try {
    const sealed = sealSecret(context.sealer, secret);
    return await context.db.$transaction(async (tx) => {
      const given = { ...columns, ...sealed, name: name ?? null, subscribedTypes };
      const made = { row: await insertWebhook(tx, userId, given), secret };
      await lastStep?.(tx, made);
      return made;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError(
      'WEBHOOK_EXISTS',
      'There is a webhook already: change it with PATCH, or delete it first',
    );
  }
}

/** @throws ApiError NOT_FOUND, VALIDATION_ERROR */
export function changeWebhook(
  context: Context,
  userId: string,
  body: PatchWebhook,
  lastStep?: LastStep<Webhook>,
): Promise<Webhook> {
  const { secret, status, url, ...rest } = body;
  if (url !== undefined) acceptUrl(context, url);
  return context.db.$transaction(async (tx) => {
    const before = orNotFound(await lockWebhook(tx, userId), 'Webhook');
    const columns: WebhookColumns = {
      ...definedFields({ ...rest, url }),
      ...(secret !== undefined && replaceSecret(context, before, secret)),
      ...(status !== undefined && status !== before.status && statusColumns(status, context.clock.now())),
    };
    const after = Object.keys(columns).length === 0 ? before : await updateWebhook(tx, before.id, columns);
    await lastStep?.(tx, after);
    return after;
  });
}

/** Creates a new secret. Deliveries are signed with the old one too for 24 hours. @throws ApiError NOT_FOUND */
export async function regenerateSecret(
  context: Context,
  userId: string,
  lastStep?: LastStep<WithSecret>,
): Promise<WithSecret> {
  const secret = makeSecret();
  const row = await changeWebhook(context, userId, { secret }, async (tx, made) =>
    lastStep?.(tx, { row: made, secret }),
  );
  return { row, secret };
}

/** @throws ApiError NOT_FOUND */
export async function deleteWebhook({ db, clock }: Context, userId: string): Promise<void> {
  if (!(await removeWebhook(db, userId, clock.now()))) throw notFound('Webhook');
}

function acceptUrl({ config }: Context, url: string): void {
  const fault = faultInReceiverUrl(url, config.webhookAllowHosts);
  if (fault) throw invalidField('url', fault);
}

function replaceSecret({ sealer, clock }: Context, before: Webhook, secret: string): WebhookColumns {
  if (openSecret(sealer, before.secretEncrypted) === secret) return {};
  return {
    ...sealSecret(sealer, secret),
    previousSecretEncrypted: before.secretEncrypted,
    previousSecretValidUntil: new Date(clock.now().getTime() + OVERLAP_HOURS * 3_600_000),
  };
}

const statusColumns = (status: Webhook['status'], now: Date): WebhookColumns =>
  status === 'enabled'
    ? { status, disabledAt: null, disabledReason: null, failingSince: null }
    : { status, disabledAt: now, disabledReason: 'Disabled by its owner.' };
