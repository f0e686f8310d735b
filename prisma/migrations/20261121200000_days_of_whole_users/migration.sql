-- Daily sums of all that a user used, beside those of its devices: a year is read without adding up every device. The
-- rows of no device, which held searches alone, become these.
INSERT INTO "UsageDay" ("userId", "deviceId", day, feature, "analysisType", quantity)
SELECT "userId", '00000000-0000-0000-0000-000000000000', day, feature, "analysisType", sum(quantity)
FROM "UsageDay" GROUP BY "userId", day, feature, "analysisType"
ON CONFLICT ("userId", day, "deviceId", feature, "analysisType") DO UPDATE SET quantity = excluded.quantity;
CREATE INDEX "UsageDay_userId_deviceId_day_idx" ON "UsageDay"("userId", "deviceId", "day");

-- The ledger of a month is counted without looking at every other month's rows.
CREATE INDEX "QuotaTransaction_scope_scopeId_userId_period_createdAt_id_idx"
  ON "QuotaTransaction"("scope", "scopeId", "userId", "period", "createdAt" DESC, "id" DESC);
