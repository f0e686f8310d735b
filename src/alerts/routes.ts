import { z } from 'zod';
import { orNotFound } from '../http/errors.ts';
import { idParams } from '../http/fields.ts';
import { mapPage } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { METRIC_CATALOGUE, type MetricGroup } from '../metrics/catalogue.ts';
import { changeRule, createRule, deleteRule } from './configure-rule.ts';
import { presentRule } from './present.ts';
import { previewRule } from './preview-rule.ts';
import { findRule, listRules } from './rule.store.ts';
import {
  createRuleBody,
  groupedMetrics,
  listRulesQuery,
  metric,
  patchRuleBody,
  previewRuleBody,
  rule,
  rulePreview,
} from './schema.ts';

const metricsOf = (group: MetricGroup) => METRIC_CATALOGUE.filter((entry) => entry.group === group);

export const alertRuleRoutes = [
  route({
    name: 'listMetrics',
    method: 'get',
    path: '/alerts/metrics/queue_analysis',
    scope: 'alert:read',
    summary: 'List every metric that a rule can watch',
    response: z.array(metric),
  }).answers(async () => [...METRIC_CATALOGUE]),

  route({
    name: 'getMetricsByGroup',
    method: 'get',
    path: '/alerts/metrics/queue_analysis/grouped',
    scope: 'alert:read',
    summary: 'Read every metric that a rule can watch, by group',
    response: groupedMetrics,
  }).answers(async () => ({
    current: metricsOf('current'),
    rolling: metricsOf('rolling'),
    total: metricsOf('total'),
  })),

  route({
    name: 'createAlertRule',
    method: 'post',
    path: '/alerts/rules',
    scope: 'alert:write',
    summary: 'Create an alert rule for a scene, or for all scenes of a site',
    body: createRuleBody,
    status: 201,
    response: rule,
    idempotency: 'user',
    errors: ['NOT_FOUND', 'INVALID_METRIC_PATH', 'LIMIT_REACHED'],
  }).answers(async ({ context, caller, body, keepAnswer }) =>
    presentRule(
      await createRule(context, caller.userId, body, (tx, row) => keepAnswer(tx, presentRule(row))),
    ),
  ),

  route({
    name: 'previewAlertRule',
    method: 'post',
    path: '/alerts/rules/preview',
    scope: 'alert:write',
    summary: 'Replay a rule over stored metrics to see when it would have fired',
    description:
      'Snapshots are stored every 10 s and rolling records every minute; a live rule is evaluated every second. A rule of a site ' +
      'is replayed for each of its scenes; their days together may be 70 at most.',
    body: previewRuleBody,
    response: rulePreview,
    errors: ['NOT_FOUND', 'INVALID_METRIC_PATH', 'INVALID_DATE_RANGE'],
  }).answers(({ context, caller, body }) => previewRule(context.db, caller.userId, body)),

  route({
    name: 'listAlertRules',
    method: 'get',
    path: '/alerts/rules',
    scope: 'alert:read',
    summary: 'List alert rules, newest first',
    query: listRulesQuery,
    paging: 'A',
    response: rule,
  }).answers(async ({ context, caller, query }) => {
    return mapPage(await listRules(context.db, caller.userId, query), presentRule);
  }),

  route({
    name: 'getAlertRule',
    method: 'get',
    path: '/alerts/rules/{id}',
    scope: 'alert:read',
    summary: 'Read an alert rule',
    params: idParams,
    response: rule,
  }).answers(async ({ context, caller, params }) => {
    return presentRule(orNotFound(await findRule(context.db, caller.userId, params.id), 'Rule'));
  }),

  route({
    name: 'updateAlertRule',
    method: 'patch',
    path: '/alerts/rules/{id}',
    scope: 'alert:write',
    summary: 'Change an alert rule',
    description: 'Changed conditions, scene, site or logic end a firing; the cooldown goes on.',
    params: idParams,
    body: patchRuleBody,
    response: rule,
    errors: ['INVALID_METRIC_PATH'],
  }).answers(async ({ context, caller, params, body }) =>
    presentRule(await changeRule(context.db, { userId: caller.userId, id: params.id }, body)),
  ),

  route({
    name: 'deleteAlertRule',
    method: 'delete',
    path: '/alerts/rules/{id}',
    scope: 'alert:write',
    summary: 'Delete an alert rule; its alert events are kept',
    params: idParams,
  }).answers(({ context, caller, params }) => deleteRule(context, caller.userId, params.id)),
];
