-- A rule that has fired and whose alert is not recorded yet.
CREATE TABLE "Firing" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "ruleId" UUID NOT NULL,
    "taskId" UUID NOT NULL,
    "firedAt" TIMESTAMPTZ(3) NOT NULL,
    "body" JSONB NOT NULL,
    "recordBy" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Firing_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "Firing_recordBy_idx" ON "Firing"("recordBy");

CREATE UNIQUE INDEX "Firing_ruleId_firedAt_key" ON "Firing"("ruleId", "firedAt");

ALTER TABLE "Firing" ADD CONSTRAINT "Firing_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;
