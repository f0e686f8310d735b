import { actorOf } from '../../audit/record-audit.ts';
import { orNotFound } from '../../http/errors.ts';
import { idParams } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import type { Tx } from '../../platform/database/db.ts';
import type { Device } from '../../platform/prisma-client/client.ts';
import { findDeviceConditions } from './condition.store.ts';
import { changeDevice, createDevice, deleteDevice } from './configure-device.ts';
import { findDevice, listDevices } from './device.store.ts';
import { presentDevice } from './present.ts';
import { probeAddress } from './probe-address.ts';
import {
  createDeviceBody,
  device,
  listDevicesQuery,
  patchDeviceBody,
  probeBody,
  probedAddress,
} from './schema.ts';

export const deviceRoutes = [
  route({
    name: 'createDevice',
    method: 'post',
    path: '/devices',
    scope: 'device:write',
    summary: 'Create a device and probe whether it is online',
    body: createDeviceBody,
    status: 201,
    response: device,
    idempotency: 'user',
    errors: ['LIMIT_REACHED'],
  }).answers(async ({ context, caller, body, keepAnswer }) => {
    const present = (row: Device) => presentDevice(row, context.sealer);
    const keep = (tx: Tx, row: Device) => keepAnswer(tx, present(row));
    return present(await createDevice(context, caller.userId, body, keep));
  }),

  route({
    name: 'listDevices',
    method: 'get',
    path: '/devices',
    scope: 'device:read',
    summary: 'List devices, newest first',
    query: listDevicesQuery,
    paging: 'A',
    response: device,
  }).answers(async ({ context, caller, query }) => {
    const { items, total } = await listDevices(context.db, caller.userId, query);
    const conditions = await findDeviceConditions(
      context.db,
      items.map(({ id }) => id),
    );
    return { items: items.map((row) => presentDevice(row, context.sealer, conditions.get(row.id))), total };
  }),

  route({
    name: 'probeAddress',
    method: 'post',
    path: '/devices/probe',
    scope: 'device:write',
    summary: 'Probe the address of a camera stream without storing it',
    description:
      'Opens the stream from the API and reads what it sends and one image, within 16 seconds. The same rules hold for the address as for a device. There is no device yet, so no masks are applied; if the account hides people (`blurPeople`), the whole image is a coarse mosaic. At most PROBE_RATE_LIMIT_PER_MINUTE probes per minute and user, two of them at once.',
    body: probeBody,
    response: probedAddress,
    limit: 'probe',
  }).answers(({ context, caller, body }) => probeAddress(context, caller.userId, body.streamUrl)),

  route({
    name: 'getDevice',
    method: 'get',
    path: '/devices/{id}',
    scope: 'device:read',
    summary: 'Read a device',
    params: idParams,
    response: device,
  }).answers(async ({ context, caller, params }) => {
    const row = orNotFound(await findDevice(context.db, caller.userId, params.id), 'Device');
    const conditions = await findDeviceConditions(context.db, [row.id]);
    return presentDevice(row, context.sealer, conditions.get(row.id));
  }),

  route({
    name: 'updateDevice',
    method: 'patch',
    path: '/devices/{id}',
    scope: 'device:write',
    summary: 'Change a device; a new stream address is probed immediately',
    params: idParams,
    body: patchDeviceBody,
    response: device,
  }).answers(async ({ context, caller, client, params, body }) => {
    const own = { userId: caller.userId, id: params.id, by: actorOf(caller, client) };
    return presentDevice(await changeDevice(context, own, body), context.sealer);
  }),

  route({
    name: 'deleteDevice',
    method: 'delete',
    path: '/devices/{id}',
    scope: 'device:write',
    summary: 'Delete a device with its scenes and their alert rules',
    params: idParams,
    errors: ['SCENE_ANALYSIS_ACTIVE'],
  }).answers(({ context, caller, params }) => deleteDevice(context, caller.userId, params.id)),
];
