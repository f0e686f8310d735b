import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';
import { METRIC_CATALOGUE, type MetricGroup } from '../../metrics/catalogue.ts';

const IMAGE = `https://video.example.com/api/v1/images/2026-01-31/${ID.image}.jpg?expires=1769850900&signature=q5m0l1V8rQkq3m0b6T0sYw2nUu0u8Jx3v9f1cZ7eXhA`;
const CONDITION = { metricPath: 'current.inQueue', operator: 'GT', threshold: 5 };
const RULE = {
  name: 'Long queue',
  sceneId: ID.scene,
  severity: 'warning',
  conditions: [CONDITION],
  logicOperator: 'OR',
  cooldownMinutes: 5,
  durationSeconds: 10,
};
const FIRED = {
  sceneId: ID.scene,
  triggeredAt: TIME.alert,
  ...CONDITION,
  actualValue: 7,
  message: 'Till 3: people waiting 7, limit 5',
};
const CURVE = {
  metricPath: CONDITION.metricPath,
  t: ['2026-01-31T08:00:00.000Z', '2026-01-31T08:30:00.000Z'],
  ...{ min: [0, 1], max: [7, 4] },
};
const SUMMARY = 'Seven people wait at the third till while one person is being served.';
const RESULT = {
  summary: SUMMARY,
  personCount: 8,
  riskLevel: 'medium',
  activities: ['waiting in line', 'paying'],
  suggestions: ['Open another till'],
  environment: 'supermarket checkout',
};

const firstOf = (group: MetricGroup) =>
  METRIC_CATALOGUE.filter((metric) => metric.group === group).slice(0, 1);

const LONG_QUEUE = {
  field: 'queueLength',
  operator: 'moreThan',
  value: 5,
  text: 'more than five people in line',
  excludeGroup: null,
};

/** Examples of rules, alert events and insights. */
export const ALERT_EXAMPLES: Examples = {
  ...FIRED,
  AlertCondition: CONDITION,
  Metric: METRIC_CATALOGUE[0],
  GroupedMetrics: {
    current: firstOf('current'),
    rolling: firstOf('rolling'),
    total: firstOf('total'),
  },
  'POST /alerts/rules': RULE,
  'PATCH /alerts/rules/{id}': { status: 'disabled' },
  'POST /alerts/rules/preview': {
    sceneId: ID.scene,
    conditions: [CONDITION],
    durationSeconds: 10,
    startDate: '2026-01-31T08:00:00.000Z',
    endDate: '2026-01-31T09:00:00.000Z',
  },
  'AlertRule.id': ID.rule,
  'AlertRule.siteId': null,
  'AlertRule.site': null,
  'AlertRule.name': RULE.name,
  'AlertRule.description': 'More than five people in line at the third till',
  'AlertRule.status': 'enabled',
  'AlertRule.schedule': null,
  'AlertRule.unmeasuredPaths': [],
  severity: 'warning',
  logicOperator: 'OR',
  cooldownMinutes: 5,
  durationSeconds: 10,
  isFiring: true,
  lastTriggeredAt: TIME.alert,
  triggerCount: 3,
  snapshotCount: 2,
  'RulePreview.siteId': null,
  'RulePreview.snapshotCount': 360,
  firingCount: 1,
  'RulePreview.firings': [FIRED],
  'RulePreview.unmeasuredPaths': [],
  'RulePreview.curves': [CURVE],
  RulePreviewCurve: CURVE,
  'AlertEvent.id': ID.alert,
  'AlertEvent.createdAt': TIME.stored,
  'AlertEvent.acknowledgedAt': '2026-01-31T08:16:10.000Z',
  'AlertEvent.acknowledgedBy': { kind: 'session', id: ID.key, name: 'Tablet at the counter' },
  'PATCH /analysis/alerts/{id}': { acknowledged: true },
  'AlertEvent.awaitsImages': false,
  'AlertEvent.insight': {
    ...{ id: ID.insight, vlmStatus: 'completed', vlmSummary: SUMMARY },
    ...{ riskLevel: RESULT.riskLevel, personCount: RESULT.personCount },
  },
  snapshotUrls: [IMAGE],
  AlertStats: {
    total: 3,
    bySeverity: { warning: 2, critical: 1 },
    topScenes: [{ sceneId: ID.scene, sceneName: 'Till 3', count: 3 }],
    topRules: [{ ruleId: ID.rule, ruleName: 'Long queue', count: 3 }],
    hourlyDistribution: Array.from({ length: 24 }, (_, hour) => ({ hour, count: hour === 8 ? 3 : 0 })),
    dailyDistribution: [{ date: '2026-01-31', count: 3 }],
  },
  'Insight.id': ID.insight,
  'Insight.createdAt': TIME.stored,
  'InsightDetail.id': ID.insight,
  'InsightDetail.createdAt': TIME.stored,
  'InsightDetail.snapshotUrls': [IMAGE, IMAGE.replace(ID.image, ID.snapshot)],
  vlmStatus: 'completed',
  vlmSummary: SUMMARY,
  VlmStructuredResult: RESULT,
  thumbnailUrl: IMAGE,
  attributesSummary: {
    totalPersons: 8,
    genderDistribution: { female: 3, male: 2 },
    known: { female: 5, male: 5 },
  },
  hasAttributes: true,
  hasVlmSummary: true,
  vlmProvider: 'openai',
  vlmRequestedAt: '2026-01-31T08:15:00.400Z',
  vlmCompletedAt: '2026-01-31T08:15:04.900Z',
  vlmTokensUsed: 1310,
  vlmInputTokensUsed: 1180,
  vlmOutputTokensUsed: 130,
  InsightSnapshot: { index: 0, url: IMAGE },
  'POST /analysis/insights/search': {
    query: 'more than five people in line at Till 3 this morning',
    limit: 10,
  },
  SearchPart: LONG_QUEUE,
  SearchPartOutput: LONG_QUEUE,
  SearchInterpretation: {
    interpretedBy: 'rules',
    riskLevel: [],
    activityKeywords: [],
    startDate: '2026-01-31T06:00:00.000Z',
    endDate: '2026-01-31T12:00:00.000Z',
    sceneName: 'Till 3',
    keywordMatch: 'all',
    queueLength: { moreThan: 5 },
    excluded: [],
    parts: [LONG_QUEUE],
    understood: [
      { text: 'more than five people in line', filter: 'queueLength more than 5' },
      { text: 'at Till 3', filter: 'scene Till 3' },
      { text: 'this morning', filter: 'from 2026-01-31T06:00:00.000Z to 2026-01-31T12:00:00.000Z' },
    ],
    corrected: [],
    unusedWords: [],
  },
  'SearchResult.tokensUsed': { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
};
