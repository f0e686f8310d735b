import { array, ID_SALT, literal, pickFrom } from './functions.ts';
import { LARGEST_OWNS_ONE_IN, type SeedPlan, SPAN_DAYS } from './plan.ts';
import { ACTIVITIES, COMMON_WORD, ENVIRONMENTS, PLACES, SUGGESTIONS, TERMS } from './words.ts';

/** Salts of the random choices for an alert. Those of the terms follow. */
const DRAW = {
  scene: 20,
  place: 21,
  people: 22,
  critical: 23,
  word: 24,
  failed: 25,
  activity: 26,
  more: 27,
  term: 40,
};

/** The beginning of every statement about the alerts `$1` to `$2`: their user, scene and time by the alert's number. */
function alerts(plan: SeedPlan): string {
  const largest = plan.users === 1 ? 'true' : `i % ${LARGEST_OWNS_ONE_IN} = 0`;
  const others = Math.max(1, plan.users - 1);
  const everyMs = (SPAN_DAYS * 86_400_000) / plan.alerts;
  return `
    WITH alert AS (
      SELECT i, at, pg_temp.id(at, i, ${ID_SALT.alert}) AS id, user_n,
        pg_temp.below(i, ${DRAW.scene}, ${plan.devices} * CASE user_n WHEN 1 THEN 10 ELSE 1 END) AS scene_at,
        pg_temp.unit(i, ${DRAW.critical}) < 0.2 AS critical, 6 + pg_temp.below(i, ${DRAW.people}, 9) AS people
      FROM (
        SELECT i, CASE WHEN ${largest} THEN 1 ELSE 2 + pg_temp.below(i, 19, ${others}) END AS user_n,
          date_trunc('milliseconds', ${literal(plan.until.toISOString())}::timestamptz
            - (${plan.alerts} - i + 1) * ${everyMs} * interval '1 ms') AS at
        FROM generate_series($1::bigint, $2::bigint) i) drawn),
    placed AS (
      SELECT a.*, CASE WHEN critical THEN 10 ELSE 5 END AS threshold,
        CASE WHEN critical THEN people + 5 ELSE people END AS actual,
        s.user_id, s.device_id, s.scene_id, s.node_id,
        CASE WHEN critical THEN s.critical_id ELSE s.warning_id END AS rule_id,
        (CASE WHEN critical THEN 'critical' ELSE 'warning' END)::"Severity" AS severity
      FROM alert a JOIN seed_scene s ON s.user_n = a.user_n AND s.place = a.scene_at)`;
}

/** Fills alert events of the numbers `$1` to `$2`. */
export const fillAlertEvents = (plan: SeedPlan): string => `
  ${alerts(plan)}
  INSERT INTO "AlertEvent" (id, "userId", "deviceId", "sceneId", "ruleId", "computeNodeId", severity, "triggeredAt",
    "metricPath", operator, threshold, "actualValue", message, "createdAt")
  SELECT id, user_id, device_id, scene_id, rule_id, node_id, severity, at, 'current.inQueue', 'GT', threshold, actual,
    'Queue length ' || actual || ' > ' || threshold || ' at "Till ' || scene_at + 1 || '"', at
  FROM placed ORDER BY i`;

/** A summary that names each term with its own probability, and the common word in half of all cases. */
function summary(): string {
  const seen = TERMS.map(
    ({ phrase, share }, at) =>
      `CASE WHEN pg_temp.unit(i, ${DRAW.term + at}) < ${share} THEN ${literal(phrase)} END`,
  );
  return `left(actual || ' people wait in the '
    || CASE WHEN pg_temp.below(i, ${DRAW.word}, 2) = 0 THEN ${literal(COMMON_WORD)} ELSE 'line' END
    || ' at ' || ${pickFrom(PLACES, 'i', DRAW.place)}
    || coalesce('; to be seen: ' || nullif(concat_ws(', ', ${seen.join(',\n')}), ''), '') || '.', 500)`;
}

/** Fills the insights of the alert events `$1` to `$2`; one in twenty has failed. */
export const fillInsights = (plan: SeedPlan): string => `
  ${alerts(plan)},
  written AS (
    SELECT *, CASE WHEN pg_temp.below(i, ${DRAW.failed}, 20) > 0 THEN ${summary()} END AS summary FROM placed)
  INSERT INTO "Insight" (id, "alertEventId", "userId", "deviceId", "sceneId", severity, "triggeredAt", "vlmStatus",
    "vlmSummary", "vlmStructuredResult", "riskLevel", "personCount", "vlmError", "vlmProvider", "vlmTokensUsed",
    "vlmInputTokensUsed", "vlmOutputTokensUsed", "vlmAttempts", "vlmRequestedAt", "vlmCompletedAt", "vlmDeadlineAt",
    "createdAt", "updatedAt")
  SELECT pg_temp.id(at, i, ${ID_SALT.insight}), id, user_id, device_id, scene_id, severity, at,
    (CASE WHEN summary IS NULL THEN 'failed' ELSE 'completed' END)::"VlmStatus", summary,
    CASE WHEN summary IS NOT NULL THEN jsonb_build_object('summary', summary, 'personCount', actual,
      'riskLevel', CASE WHEN critical THEN 'high' ELSE 'medium' END,
      'activities', jsonb_build_array('waiting', ${pickFrom(ACTIVITIES, 'i', DRAW.activity)}),
      'suggestions', jsonb_build_array(${pickFrom(SUGGESTIONS, 'i', DRAW.more)}),
      'environment', (${array(ENVIRONMENTS)})[1 + scene_at % ${ENVIRONMENTS.length}]) END,
    CASE WHEN summary IS NOT NULL THEN (CASE WHEN critical THEN 'high' ELSE 'medium' END)::"RiskLevel" END,
    CASE WHEN summary IS NOT NULL THEN actual END,
    CASE WHEN summary IS NULL THEN 'VLM_TIMEOUT'::"VlmError" END, 'rules', 0, 0, 0,
    1, at, at + interval '2 s', at + interval '30 min', at, at + interval '2 s'
  FROM written ORDER BY i`;

/** Fills the rows of images of the alert events `$1` to `$2`: clean, annotated, thumbnail. */
export const fillImages = (plan: SeedPlan): string => `
  ${alerts(plan)}
  INSERT INTO "StoredImage" (id, "userId", "alertEventId", kind, index, "objectKey", width, height, "sizeBytes",
    "capturedAt", "createdAt")
  SELECT image, user_id, id, kind, 0, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') || '/' || image || '.jpg',
    width, width * 9 / 16, width * 90, at, at
  FROM placed
  CROSS JOIN (VALUES (0, 'clean'::"ImageKind", 960), (1, 'annotated', 960), (2, 'thumbnail', 320)) k(at_kind, kind, width)
  CROSS JOIN LATERAL (SELECT pg_temp.id(at, i * 3 + at_kind, ${ID_SALT.image}) AS image) named
  ORDER BY i`;
