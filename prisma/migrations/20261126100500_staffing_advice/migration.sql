-- Advice to open or close tills, with what happened.
CREATE TABLE "StaffingAdvice" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "madeAt" TIMESTAMPTZ(3) NOT NULL,
    "heldUntil" TIMESTAMPTZ(3) NOT NULL,
    "isShadow" BOOLEAN NOT NULL,
    "tills" SMALLINT NOT NULL,
    "openTills" SMALLINT NOT NULL,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,
    "lateShare" DOUBLE PRECISION NOT NULL,
    "lateShareWithIt" DOUBLE PRECISION NOT NULL,
    "targetWaitSeconds" INTEGER NOT NULL,
    "targetShare" DOUBLE PRECISION NOT NULL,
    "outcome" TEXT,
    "people" INTEGER,
    "actualLateShare" DOUBLE PRECISION,
    "actualOpenTills" DOUBLE PRECISION,

    CONSTRAINT "StaffingAdvice_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "StaffingAdvice_sceneId_madeAt_key" ON "StaffingAdvice"("sceneId", "madeAt");

CREATE INDEX "StaffingAdvice_endsAt_idx" ON "StaffingAdvice"("endsAt") WHERE "outcome" IS NULL;

ALTER TABLE "StaffingAdvice" ADD CONSTRAINT "StaffingAdvice_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TYPE "NotificationKind" ADD VALUE 'staffing_advice';

ALTER TYPE "EventType" ADD VALUE 'staffing_advice';
