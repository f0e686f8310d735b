-- A recording is analysed as a hidden device, which no list of cameras shows. A constant default does not rewrite the table.
CREATE TYPE "DeviceKind" AS ENUM ('camera', 'recording');
ALTER TABLE "Device" ADD COLUMN "kind" "DeviceKind" NOT NULL DEFAULT 'camera';

-- How far a recording is analysed; null for cameras.
ALTER TABLE "AnalysisTask" ADD COLUMN "positionMs" INTEGER;

CREATE TABLE "Recording" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "objectKey" VARCHAR(200) NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "format" VARCHAR(20) NOT NULL,
    "codec" VARCHAR(40) NOT NULL,
    "durationMs" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "sourceFps" DOUBLE PRECISION,
    "recordedAt" TIMESTAMPTZ(3) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Recording_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "Recording_deviceId_key" ON "Recording"("deviceId");
CREATE UNIQUE INDEX "Recording_sceneId_key" ON "Recording"("sceneId");
CREATE UNIQUE INDEX "Recording_objectKey_key" ON "Recording"("objectKey");
CREATE INDEX "Recording_list_idx" ON "Recording"("userId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "Recording_deleted_idx" ON "Recording"("deletedAt") WHERE "deletedAt" IS NOT NULL;

ALTER TABLE "Recording" ADD CONSTRAINT "Recording_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Recording" ADD CONSTRAINT "Recording_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Recording" ADD CONSTRAINT "Recording_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
