-- Exports and erasures of a time range, which are background jobs.
CREATE TYPE "DataJobKind" AS ENUM ('export', 'erasure');
CREATE TYPE "DataJobStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');

CREATE TABLE "DataJob" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "kind" "DataJobKind" NOT NULL,
    "status" "DataJobStatus" NOT NULL DEFAULT 'queued',
    "rangeFrom" TIMESTAMPTZ(3) NOT NULL,
    "rangeTo" TIMESTAMPTZ(3) NOT NULL,
    "deviceIds" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "progressPercent" SMALLINT NOT NULL DEFAULT 0,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "sceneIds" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "holder" UUID,
    "claimedUntil" TIMESTAMPTZ(3),
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "errorMessage" VARCHAR(500),
    "objectKey" VARCHAR(200),
    "sizeBytes" BIGINT,
    "expiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" TIMESTAMPTZ(3),
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "DataJob_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "DataJob_objectKey_key" ON "DataJob"("objectKey");
CREATE INDEX "DataJob_list_idx" ON "DataJob"("userId", "kind", "createdAt" DESC, "id" DESC);
CREATE INDEX "DataJob_due_idx" ON "DataJob"("dueAt") WHERE "status" IN ('queued', 'running');
CREATE INDEX "DataJob_file_idx" ON "DataJob"("expiresAt") WHERE "objectKey" IS NOT NULL;

ALTER TABLE "DataJob" ADD CONSTRAINT "DataJob_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Images of deleted scenes are erased; then this says so, and the job looks at the scene no more.
ALTER TABLE "Scene" ADD COLUMN "picturesErasedAt" TIMESTAMPTZ(3);
CREATE INDEX "Scene_pictures_left_idx" ON "Scene"("deletedAt") WHERE "deletedAt" IS NOT NULL AND "picturesErasedAt" IS NULL;
