-- Times in which a scene was not as it usually is.
CREATE TABLE "UnusualActivity" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "beganAt" TIMESTAMPTZ(3) NOT NULL,
    "noticedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastUnusualAt" TIMESTAMPTZ(3) NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "deviations" JSONB NOT NULL,

    CONSTRAINT "UnusualActivity_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "UnusualActivity_sceneId_key" ON "UnusualActivity"("sceneId") WHERE "endedAt" IS NULL;

CREATE INDEX "UnusualActivity_sceneId_beganAt_idx" ON "UnusualActivity"("sceneId", "beganAt");

ALTER TABLE "UnusualActivity" ADD CONSTRAINT "UnusualActivity_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TYPE "NotificationKind" ADD VALUE 'unusual_activity';

ALTER TYPE "EventType" ADD VALUE 'unusual_activity';
