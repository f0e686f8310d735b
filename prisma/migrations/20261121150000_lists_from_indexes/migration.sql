-- Lists and their totals are read from indexes alone: owner, place and time first, then what filters, so that the rows
-- themselves are fetched for the page that is shown only.

DROP INDEX "AlertEvent_userId_triggeredAt_id_idx";
DROP INDEX "AlertEvent_sceneId_triggeredAt_idx";
DROP INDEX "AlertEvent_deviceId_triggeredAt_idx";
CREATE INDEX "AlertEvent_user_list_idx" ON "AlertEvent"("userId", "triggeredAt" DESC, "id" DESC, "severity", "metricPath") WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_scene_list_idx" ON "AlertEvent"("sceneId", "userId", "triggeredAt" DESC, "id" DESC, "severity") WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_device_list_idx" ON "AlertEvent"("deviceId", "userId", "triggeredAt" DESC, "id" DESC, "severity") WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_rule_list_idx" ON "AlertEvent"("ruleId", "userId", "triggeredAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;

DROP INDEX "Insight_userId_triggeredAt_id_idx";
DROP INDEX "Insight_sceneId_triggeredAt_idx";
DROP INDEX "Insight_deviceId_triggeredAt_idx";
CREATE INDEX "Insight_user_list_idx" ON "Insight"("userId", "triggeredAt" DESC, "id" DESC, "severity", "vlmStatus", "hasAttributes", "riskLevel", "personCount") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_scene_list_idx" ON "Insight"("sceneId", "userId", "triggeredAt" DESC, "id" DESC, "severity", "vlmStatus") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_device_list_idx" ON "Insight"("deviceId", "userId", "triggeredAt" DESC, "id" DESC, "severity", "vlmStatus") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_summary_list_idx" ON "Insight"("userId", "triggeredAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL AND "vlmSummary" IS NOT NULL;

DROP INDEX "AttributeRecord_userId_capturedAt_id_idx";
CREATE INDEX "AttributeRecord_user_list_idx" ON "AttributeRecord"("userId", "capturedAt" DESC, "id" DESC, "deviceId", "sceneId");
