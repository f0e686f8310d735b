/** What a field means wherever the API has it; a schema that has more to say does so with its own `.meta`. */
export const GLOSSARY: Readonly<Record<string, string>> = {
  data: 'What was asked for',
  id: 'Id of this entry',
  userId: 'Id of its owner',
  deviceId: 'Id of the device',
  deviceName: 'Name of the device',
  sceneId: 'Id of the scene',
  sceneName: 'Name of the scene',
  ruleId: 'Id of the alert rule',
  ruleName: 'Name of the alert rule',
  alertId: 'Id of the alert event',
  analysisId: 'Id of the analysis run; the same as its taskId',
  taskId: 'Id of the analysis task; the same as its analysisId',
  computeNodeId: 'Id of the compute node that did it',
  name: 'Name, as given',
  description: 'Description, as given; null where there is none',
  analysisType: 'Kind of analysis; there is one',
  sceneType: 'Kind of analysis of the scene; there is one',
  severity: '`warning` or `critical`, as the alert rule says',
  createdAt: 'When it was made, UTC',
  updatedAt: 'When it was last changed, UTC',
  startedAt: 'When it began, UTC; null before',
  stoppedAt: 'When it was stopped, UTC',
  completedAt: 'When it ended, UTC; null before',
  triggeredAt: 'Time of the frame whose metrics fired the rule, UTC',
  capturedAt: 'Time of the frame, UTC',
  windowStart: 'Start of the window, UTC, inside it',
  windowEnd: 'End of the window, UTC, not inside it',
  metricPath: 'Path of the metric, as in GET /alerts/metrics/queue_analysis',
  operator: 'How the metric is compared: GT >, GTE ≥, LT <, LTE ≤, EQ =, NEQ ≠',
  threshold: 'What the metric is compared with, in the unit of the metric',
  actualValue: 'Value of the metric when the rule fired, in the unit of the metric',
};

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const isObject = (json: Json | undefined): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** Writes the glossary's words into the fields and parameters of an OpenAPI document that say nothing themselves. */
export function explainFields(json: Json): void {
  if (Array.isArray(json)) {
    for (const part of json) explainFields(part);
    return;
  }
  if (!isObject(json)) return;
  if (isObject(json.properties)) {
    for (const [name, field] of Object.entries(json.properties)) if (isObject(field)) explain(name, field);
  }
  if (typeof json.name === 'string' && isObject(json.schema)) explain(json.name, json.schema);
  for (const part of Object.values(json)) explainFields(part);
}

function explain(name: string, field: JsonObject): void {
  const meaning = Object.hasOwn(GLOSSARY, name) ? GLOSSARY[name] : undefined;
  if (meaning !== undefined && field.description === undefined && field.$ref === undefined)
    field.description = meaning;
}
