-- The tables of version 0.2.0. Programs of one version work beside those of the next, so later migrations only add.

-- A database of version 0.1 has these tables already. Nothing of it is changed.
DO $$
BEGIN
  IF to_regclass('"User"') IS NOT NULL THEN
    RAISE EXCEPTION 'This database has tables of version 0.1. Nothing was changed. src/operations.md, "From version 0.1 to 0.2", says what to do.';
  END IF;
END $$;

-- Trusted extensions of PostgreSQL itself: the database's owner may make them.
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- UUIDv7 (RFC 9562). PostgreSQL has its own from 18 on only. An id holds its time to the quarter of a microsecond (section 6.2, method 3),
-- not to the millisecond. Lists are sorted by creation time and then by id: rows that one transaction writes in one millisecond, such
-- as the opening of a counter and its first charge, stay in the order in which they were written.
CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    overlay(uuid_send(gen_random_uuid())
      PLACING int8send(((us / 1000) << 16) | x'7000'::bigint | ((us % 1000) * 4096 / 1000))
      FROM 1 FOR 8),
    'hex')::uuid
  FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS now
$$;

-- Words as they are, without their accents: no stemming, since nobody says which language a summary is in.
CREATE TEXT SEARCH CONFIGURATION insight_words (COPY = simple);
ALTER TEXT SEARCH CONFIGURATION insight_words
  ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH unaccent, simple;

CREATE TYPE "BlurPeople" AS ENUM ('none', 'faces', 'bodies');
CREATE TYPE "SessionKind" AS ENUM ('person', 'screen');
CREATE TYPE "SessionRole" AS ENUM ('viewer', 'manager', 'integrator', 'owner');
CREATE TYPE "SignInMethod" AS ENUM ('password', 'key', 'code');
CREATE TYPE "AuditActor" AS ENUM ('session', 'key', 'administrator', 'address', 'operator', 'system');
CREATE TYPE "DataJobKind" AS ENUM ('export', 'erasure');
CREATE TYPE "DataJobStatus" AS ENUM ('queued', 'running', 'completed', 'failed', 'cancelled');
CREATE TYPE "DevicePlan" AS ENUM ('LEVEL_01', 'LEVEL_02');
CREATE TYPE "DeviceKind" AS ENUM ('camera', 'recording');
CREATE TYPE "OnlineStatus" AS ENUM ('unknown', 'online', 'offline');
CREATE TYPE "AnalysisAccuracy" AS ENUM ('standard', 'high');
CREATE TYPE "AnalysisRegion" AS ENUM ('zones', 'whole');
CREATE TYPE "FrameRequestStatus" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "DiscoveryStatus" AS ENUM ('pending', 'searching', 'completed', 'failed');
CREATE TYPE "AnalysisType" AS ENUM ('queue_analysis');
CREATE TYPE "SceneStatus" AS ENUM ('draft', 'active', 'paused', 'error');
CREATE TYPE "AnalysisStatus" AS ENUM ('idle', 'starting', 'running', 'stopping', 'stopped', 'error');
CREATE TYPE "NodeHealth" AS ENUM ('healthy', 'degraded', 'offline');
CREATE TYPE "TaskStatus" AS ENUM ('QUEUED', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED');
CREATE TYPE "RunStatus" AS ENUM ('initializing', 'running', 'stopped', 'error');
CREATE TYPE "StopReason" AS ENUM ('user_request', 'timeout', 'error', 'resource_constraint', 'scheduled');
CREATE TYPE "StartedBy" AS ENUM ('user', 'schedule');
CREATE TYPE "VisitState" AS ENUM ('queued', 'in_service', 'closed', 'discarded');
CREATE TYPE "VisitOutcome" AS ENUM ('completed', 'abandoned', 'lost');
CREATE TYPE "Severity" AS ENUM ('warning', 'critical');
CREATE TYPE "RuleStatus" AS ENUM ('enabled', 'disabled');
CREATE TYPE "LogicOperator" AS ENUM ('AND', 'OR');
CREATE TYPE "ConditionOperator" AS ENUM ('GT', 'GTE', 'LT', 'LTE', 'EQ', 'NEQ');
CREATE TYPE "ImageKind" AS ENUM ('clean', 'annotated', 'thumbnail');
CREATE TYPE "VlmStatus" AS ENUM ('pending', 'completed', 'failed');
CREATE TYPE "RiskLevel" AS ENUM ('low', 'medium', 'high', 'critical');
CREATE TYPE "VlmError" AS ENUM ('VLM_TIMEOUT', 'VLM_CONNECTION', 'VLM_RATE_LIMITED', 'VLM_SERVER_ERROR', 'VLM_REQUEST_REFUSED', 'VLM_PARSE_FAILURE', 'VLM_QUOTA_EXCEEDED', 'SNAPSHOT_MISSING');
CREATE TYPE "EventType" AS ENUM ('analysis_started', 'analysis_stopped', 'analysis_error', 'analysis_waiting', 'alert_triggered', 'device_offline', 'device_online', 'device_analysis_error', 'device_warning', 'node_offline', 'node_online', 'node_error', 'node_warning', 'quota_warning', 'quota_exceeded', 'billing_cycle_completed', 'maintenance_scheduled', 'system_announcement');
CREATE TYPE "WebhookStatus" AS ENUM ('enabled', 'disabled');
CREATE TYPE "DeliveryStatus" AS ENUM ('pending', 'success', 'failed');
CREATE TYPE "ChannelKind" AS ENUM ('email', 'push');
CREATE TYPE "ChannelStatus" AS ENUM ('unconfirmed', 'enabled', 'disabled');
CREATE TYPE "NotificationKind" AS ENUM ('alert_triggered', 'device_offline', 'device_online', 'analysis_error', 'quota_warning', 'quota_exceeded', 'confirmation', 'test', 'report');
CREATE TYPE "ReportPeriod" AS ENUM ('day', 'week');
CREATE TYPE "ReportStatus" AS ENUM ('sent', 'skipped', 'failed');
CREATE TYPE "QuotaScope" AS ENUM ('user', 'device');
CREATE TYPE "Feature" AS ENUM ('analysis', 'alert', 'attribute', 'vlm');
CREATE TYPE "QuotaSource" AS ENUM ('system_initial', 'admin_manual', 'admin_adjustment', 'consumption', 'usage_rollback', 'payment');
CREATE TYPE "TransactionType" AS ENUM ('credit', 'debit');

CREATE TABLE "User" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "email" VARCHAR(320) NOT NULL,
    "name" VARCHAR(100),
    "isAdmin" BOOLEAN NOT NULL DEFAULT false,
    "streamNetworks" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "passwordHash" VARCHAR(300),
    "timezone" VARCHAR(64),
    "locale" VARCHAR(35),
    "blurPeople" "BlurPeople" NOT NULL DEFAULT 'none',
    "attributeGroups" TEXT[] NOT NULL DEFAULT '{gender,age}',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ApiKey" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "keyId" CHAR(8) NOT NULL,
    "secretHash" BYTEA NOT NULL,
    "last4" CHAR(4) NOT NULL,
    "scopes" TEXT[],
    "expiresAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "parentId" UUID,

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Session" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "apiKeyId" UUID,
    "tokenHash" BYTEA NOT NULL,
    "kind" "SessionKind" NOT NULL,
    "role" "SessionRole",
    "scopes" TEXT[] NOT NULL,
    "method" "SignInMethod" NOT NULL,
    "byOperator" BOOLEAN NOT NULL DEFAULT false,
    "label" VARCHAR(100),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3) NOT NULL,
    "lastAddress" VARCHAR(45),
    "lastUserAgent" VARCHAR(200),
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Session_tokenHash_size" CHECK (octet_length("tokenHash") = 32)
);

CREATE TABLE "LoginCode" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "apiKeyId" UUID,
    "sessionId" UUID,
    "codeHash" BYTEA NOT NULL,
    "kind" "SessionKind" NOT NULL,
    "role" "SessionRole",
    "scopes" TEXT[] NOT NULL,
    "label" VARCHAR(100),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LoginCode_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "LoginCode_codeHash_size" CHECK (octet_length("codeHash") = 32)
);

CREATE TABLE "SetupCode" (
    "codeHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SetupCode_pkey" PRIMARY KEY ("codeHash"),
    CONSTRAINT "SetupCode_codeHash_size" CHECK (octet_length("codeHash") = 32)
);

CREATE TABLE "IdempotentCall" (
    "userId" UUID NOT NULL,
    "route" VARCHAR(200) NOT NULL,
    "keyHash" BYTEA NOT NULL,
    "token" UUID NOT NULL,
    "requestSealed" TEXT NOT NULL,
    "answerSealed" TEXT,
    "claimedUntil" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "IdempotentCall_pkey" PRIMARY KEY ("userId","route","keyHash"),
    CONSTRAINT "IdempotentCall_sizes" CHECK (octet_length("keyHash") = 32 AND length("requestSealed") <= 200 AND length("answerSealed") <= 262144)
);

CREATE TABLE "AuditEntry" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "actorKind" "AuditActor" NOT NULL,
    "actorId" UUID,
    "action" VARCHAR(60) NOT NULL,
    "targetKind" VARCHAR(40),
    "targetId" VARCHAR(100),
    "details" JSONB NOT NULL DEFAULT '{}',
    "networkAddress" VARCHAR(45),
    "at" TIMESTAMPTZ(3) NOT NULL,
    "once" VARCHAR(150),

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "Device" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "kind" "DeviceKind" NOT NULL DEFAULT 'camera',
    "name" VARCHAR(100) NOT NULL,
    "description" VARCHAR(500),
    "streamUrlEncrypted" TEXT NOT NULL,
    "analysisStreamUrlEncrypted" TEXT,
    "streamRevision" INTEGER NOT NULL DEFAULT 1,
    "plan" "DevicePlan" NOT NULL DEFAULT 'LEVEL_01',
    "analysisFps" SMALLINT NOT NULL DEFAULT 5,
    "analysisRegion" "AnalysisRegion",
    "analysisAccuracy" "AnalysisAccuracy" NOT NULL DEFAULT 'standard',
    "rotation" SMALLINT NOT NULL DEFAULT 0,
    "timezone" VARCHAR(64),
    "schedule" JSONB,
    "nextScheduleAt" TIMESTAMPTZ(3),
    "isDisabled" BOOLEAN NOT NULL DEFAULT false,
    "privacyMask" JSONB NOT NULL DEFAULT '[]',
    "maskAnalysis" BOOLEAN NOT NULL DEFAULT false,
    "attributeGroups" TEXT[] NOT NULL DEFAULT '{gender,age}',
    "privacyRevision" INTEGER NOT NULL DEFAULT 1,
    "onlineStatus" "OnlineStatus" NOT NULL DEFAULT 'unknown',
    "onlineChangedAt" TIMESTAMPTZ(3),
    "lastFrameAt" TIMESTAMPTZ(3),
    "nextProbeAt" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "lastError" TEXT,
    "lastErrorAt" TIMESTAMPTZ(3),
    "outageNotifiedAt" TIMESTAMPTZ(3),
    "fault" JSONB,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "toldOfflineSince" TIMESTAMPTZ(3),
    "width" INTEGER,
    "height" INTEGER,
    "codec" VARCHAR(40),
    "sourceFps" DOUBLE PRECISION,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Device_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Device_analysisFps_check" CHECK ("analysisFps" BETWEEN 1 AND 30)
);

CREATE TABLE "FrameRequest" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "deviceId" UUID NOT NULL,
    "computeNodeId" UUID,
    "status" "FrameRequestStatus" NOT NULL DEFAULT 'pending',
    "jpeg" BYTEA,
    "capturedAt" TIMESTAMPTZ(3),
    "privacyRevision" INTEGER,
    "errorMessage" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "FrameRequest_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "DiscoveryRequest" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "status" "DiscoveryStatus" NOT NULL DEFAULT 'pending',
    "wantedNodeId" UUID,
    "computeNodeId" UUID,
    "network" VARCHAR(50),
    "loginEncrypted" TEXT,
    "camerasEncrypted" TEXT,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "errorMessage" VARCHAR(500),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "DiscoveryRequest_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Site" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Site_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SiteDevice" (
    "siteId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,

    CONSTRAINT "SiteDevice_pkey" PRIMARY KEY ("siteId","deviceId")
);

-- Live pictures: which API process wants those of a device until when, and the newest picture of each watched device.
-- Both tables are unlogged: after a crash of the database they are empty, and the next seconds fill them again.
CREATE UNLOGGED TABLE "LiveWish" (
    "deviceId" UUID NOT NULL,
    "processId" UUID NOT NULL,
    "width" INTEGER NOT NULL,
    "fps" INTEGER NOT NULL,
    "wantedUntil" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LiveWish_pkey" PRIMARY KEY ("deviceId","processId")
) WITH (fillfactor = 50);

-- A picture is cut into parts of 1,900 bytes, one row each. Four versions of a row fit into its page, so every update stays
-- in the page and removes older versions there. A single row with the whole JPEG grows by 110 kB a second until the next
-- autovacuum, because its bytes are stored in a TOAST table.
CREATE UNLOGGED TABLE "LivePicture" (
    "deviceId" UUID NOT NULL,
    "part" INTEGER NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "isStill" BOOLEAN NOT NULL,
    "tracks" TEXT,
    "staff" TEXT,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "LivePicture_pkey" PRIMARY KEY ("deviceId","part")
) WITH (fillfactor = 25);
ALTER TABLE "LivePicture" ALTER COLUMN "bytes" SET STORAGE PLAIN;

CREATE TABLE "Scene" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "description" VARCHAR(500),
    "analysisType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "status" "SceneStatus" NOT NULL DEFAULT 'active',
    "analysisStatus" "AnalysisStatus" NOT NULL DEFAULT 'idle',
    "analysisStartedAt" TIMESTAMPTZ(3),
    "processingComputeNodeId" UUID,
    "config" JSONB NOT NULL,
    "latestMetrics" JSONB,
    "metricsUpdatedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),
    "picturesErasedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Scene_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SceneRestart" (
    "sceneId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "taskId" UUID NOT NULL,
    "change" JSONB NOT NULL,
    "starts" BOOLEAN NOT NULL DEFAULT true,
    "priority" SMALLINT NOT NULL,
    "startedBy" "StartedBy" NOT NULL,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SceneRestart_pkey" PRIMARY KEY ("sceneId")
);

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
    "videoTrack" INTEGER NOT NULL DEFAULT 0,
    "videoTracks" JSONB NOT NULL DEFAULT '[]',
    "recordedAt" TIMESTAMPTZ(3) NOT NULL,
    "timezone" VARCHAR(64) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Recording_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ComputeNode" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "name" VARCHAR(100) NOT NULL,
    "host" VARCHAR(255) NOT NULL,
    "health" "NodeHealth" NOT NULL DEFAULT 'healthy',
    "healthReason" TEXT,
    "overloadedSince" TIMESTAMPTZ(3),
    "maxConcurrentDevices" INTEGER NOT NULL,
    "activeDeviceCount" INTEGER NOT NULL DEFAULT 0,
    "version" VARCHAR(40) NOT NULL,
    "model" VARCHAR(100),
    "executionProvider" VARCHAR(20),
    "adapter" TEXT,
    "providerReason" TEXT,
    "batchSize" INTEGER NOT NULL DEFAULT 1,
    "videoDecoder" VARCHAR(20),
    "videoDecoderReason" TEXT,
    "incarnation" UUID NOT NULL DEFAULT gen_random_uuid(),
    "isDraining" BOOLEAN NOT NULL DEFAULT false,
    "clockSkewMs" INTEGER NOT NULL DEFAULT 0,
    "averageInitMs" INTEGER,
    "startedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leftAt" TIMESTAMPTZ(3),
    "lastHeartbeatAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ComputeNode_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "NodeNotice" (
    "computeNodeId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "heldAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "offlineAt" TIMESTAMPTZ(3),
    "overloadedAt" TIMESTAMPTZ(3),

    CONSTRAINT "NodeNotice_pkey" PRIMARY KEY ("computeNodeId","userId")
);

CREATE TABLE "AnalysisTask" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "analysisType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "status" "TaskStatus" NOT NULL DEFAULT 'QUEUED',
    "runStatus" "RunStatus" NOT NULL DEFAULT 'initializing',
    "priority" SMALLINT NOT NULL DEFAULT 3,
    "startedBy" "StartedBy" NOT NULL DEFAULT 'user',
    "computeNodeId" UUID,
    "reservedNodeId" UUID,
    "reservedUntil" TIMESTAMPTZ(3),
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "waitsSince" TIMESTAMPTZ(3),
    "stopRequestedAt" TIMESTAMPTZ(3),
    "stopDeadlineAt" TIMESTAMPTZ(3),
    "drain" BOOLEAN NOT NULL DEFAULT false,
    "reason" "StopReason",
    "reasonText" VARCHAR(500),
    "checkpoint" JSONB,
    "checkpointAt" TIMESTAMPTZ(3),
    "stats" JSONB,
    "lastFrameAt" TIMESTAMPTZ(3),
    "paidUntil" TIMESTAMPTZ(3),
    "positionMs" INTEGER,
    "paidSlices" INTEGER NOT NULL DEFAULT 0,
    "startedAt" TIMESTAMPTZ(3),
    "runningAt" TIMESTAMPTZ(3),
    "completedAt" TIMESTAMPTZ(3),
    "processingTimeMs" INTEGER,
    "errorMessage" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AnalysisTask_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "AnalysisTask_priority_check" CHECK (priority BETWEEN 1 AND 5)
);

CREATE TABLE "RunLease" (
    "taskId" UUID NOT NULL,
    "epoch" INTEGER NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RunLease_pkey" PRIMARY KEY ("taskId")
);

CREATE TABLE "Visit" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "taskId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "trackId" INTEGER NOT NULL,
    "state" "VisitState" NOT NULL,
    "queueEnteredAt" TIMESTAMPTZ(3),
    "queueLeftAt" TIMESTAMPTZ(3),
    "serviceStartedAt" TIMESTAMPTZ(3),
    "serviceEndedAt" TIMESTAMPTZ(3),
    "outcome" "VisitOutcome",
    "arrivalDecidedAt" TIMESTAMPTZ(3) NOT NULL,
    "outcomeDecidedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Visit_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "OccupancyMinute" (
    "sceneId" UUID NOT NULL,
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "coveredMs" INTEGER NOT NULL,
    "inQueueMs" BIGINT NOT NULL,
    "inServiceMs" BIGINT NOT NULL,
    "busyMs" INTEGER NOT NULL,
    "maxInQueue" INTEGER NOT NULL,
    "maxInService" INTEGER NOT NULL,

    CONSTRAINT "OccupancyMinute_pkey" PRIMARY KEY ("sceneId","minute"),
    CONSTRAINT "OccupancyMinute_covered_check" CHECK ("coveredMs" BETWEEN 0 AND 60000),
    CONSTRAINT "OccupancyMinute_minute_check" CHECK (date_trunc('minute', minute, 'UTC') = minute)
) PARTITION BY RANGE ("minute");

CREATE TABLE "FloorHour" (
    "sceneId" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "coveredMs" INTEGER NOT NULL,
    "cells" BYTEA NOT NULL,

    CONSTRAINT "FloorHour_pkey" PRIMARY KEY ("sceneId","hour")
);

CREATE TABLE "SceneFeet" (
    "sceneId" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "points" BYTEA NOT NULL,
    "leftProposal" JSONB,

    CONSTRAINT "SceneFeet_pkey" PRIMARY KEY ("sceneId")
);

-- The current row of a scene is written again and again: the space that is left lets it stay on its page.
CREATE TABLE "OccupancyQuarter" (
    "sceneId" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "coveredMs" INTEGER NOT NULL,
    "inQueueMs" BIGINT NOT NULL,
    "inServiceMs" BIGINT NOT NULL,
    "busyMs" INTEGER NOT NULL,
    "maxInQueue" INTEGER NOT NULL,
    "maxInService" INTEGER NOT NULL,
    "minuteAverages" SMALLINT[],
    "minuteMaxima" SMALLINT[],

    CONSTRAINT "OccupancyQuarter_pkey" PRIMARY KEY ("sceneId","quarter")
) WITH (fillfactor = 80);

CREATE TABLE "VisitQuarter" (
    "sceneId" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "arrivals" INTEGER NOT NULL,
    "outcomes" "VisitOutcome"[] NOT NULL,
    "waitMs" INTEGER[] NOT NULL,
    "serviceMs" INTEGER[] NOT NULL,

    CONSTRAINT "VisitQuarter_pkey" PRIMARY KEY ("sceneId","quarter"),
    CONSTRAINT "VisitQuarter_lists_check" CHECK (cardinality(outcomes) = cardinality("waitMs") AND cardinality(outcomes) = cardinality("serviceMs"))
);

CREATE TABLE "SceneTotals" (
    "sceneId" UUID NOT NULL,
    "arrivals" INTEGER NOT NULL DEFAULT 0,
    "completedCount" INTEGER NOT NULL DEFAULT 0,
    "abandonedCount" INTEGER NOT NULL DEFAULT 0,
    "lostCount" INTEGER NOT NULL DEFAULT 0,
    "waitCount" INTEGER NOT NULL DEFAULT 0,
    "waitSecondsSum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "waitSecondsMax" DOUBLE PRECISION,
    "waitHistogram" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "waitBinSeconds" DOUBLE PRECISION[] DEFAULT ARRAY[]::DOUBLE PRECISION[],
    "serviceCount" INTEGER NOT NULL DEFAULT 0,
    "serviceSecondsSum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "serviceSecondsMax" DOUBLE PRECISION,
    "serviceHistogram" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "serviceBinSeconds" DOUBLE PRECISION[] DEFAULT ARRAY[]::DOUBLE PRECISION[],
    "abandonedWaitCount" INTEGER NOT NULL DEFAULT 0,
    "abandonedWaitSum" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "abandonedWaitMax" DOUBLE PRECISION,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "minutesSince" TIMESTAMPTZ(3),
    "visitsSince" TIMESTAMPTZ(3),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SceneTotals_pkey" PRIMARY KEY ("sceneId")
);

CREATE TABLE "MetricSnapshot" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "windowEnd" TIMESTAMPTZ(3) NOT NULL,
    "durationSeconds" DOUBLE PRECISION NOT NULL,
    "currentMetrics" JSONB NOT NULL,
    "computeNodeId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
) PARTITION BY RANGE ("windowEnd");

CREATE TABLE "RollingRecord" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sceneId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "windowType" VARCHAR(8) NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "windowEnd" TIMESTAMPTZ(3) NOT NULL,
    "metrics" JSONB NOT NULL,
    "computeNodeId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "RollingRecord_windowType_check" CHECK ("windowType" IN ('5min', '15min', '30min', '60min', 'total'))
) PARTITION BY RANGE ("windowEnd");

CREATE TABLE "AlertRule" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "name" VARCHAR(100) NOT NULL,
    "description" VARCHAR(500),
    "severity" "Severity" NOT NULL,
    "conditions" JSONB NOT NULL,
    "logicOperator" "LogicOperator" NOT NULL DEFAULT 'OR',
    "cooldownMinutes" SMALLINT NOT NULL DEFAULT 5,
    "durationSeconds" SMALLINT NOT NULL DEFAULT 0,
    "schedule" JSONB,
    "status" "RuleStatus" NOT NULL DEFAULT 'enabled',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "isFiring" BOOLEAN NOT NULL DEFAULT false,
    "holdingSince" TIMESTAMPTZ(3),
    "lastTriggeredAt" TIMESTAMPTZ(3),
    "triggerCount" INTEGER NOT NULL DEFAULT 0,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AlertRule_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "AlertRule_cooldownMinutes_check" CHECK ("cooldownMinutes" BETWEEN 1 AND 1440),
    CONSTRAINT "AlertRule_durationSeconds_check" CHECK ("durationSeconds" BETWEEN 0 AND 3600)
);

CREATE TABLE "Firing" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "ruleId" UUID NOT NULL,
    "taskId" UUID NOT NULL,
    "firedAt" TIMESTAMPTZ(3) NOT NULL,
    "body" JSONB NOT NULL,
    "recordBy" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Firing_pkey" PRIMARY KEY ("id")
);

-- What a search compares an alert by: its own value where its metric is of that kind, else the value of that moment.
CREATE TABLE "AlertEvent" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "ruleId" UUID NOT NULL,
    "taskId" UUID,
    "computeNodeId" UUID,
    "severity" "Severity" NOT NULL,
    "triggeredAt" TIMESTAMPTZ(3) NOT NULL,
    "metricPath" VARCHAR(100) NOT NULL,
    "operator" "ConditionOperator" NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "actualValue" DOUBLE PRECISION NOT NULL,
    "message" TEXT NOT NULL,
    "facts" JSONB,
    "awaitsPictures" BOOLEAN NOT NULL DEFAULT false,
    "acknowledgedAt" TIMESTAMPTZ(3),
    "acknowledgedBy" JSONB,
    "queueLength" DOUBLE PRECISION GENERATED ALWAYS AS (
      CASE
        WHEN "metricPath" ~ '\.(inQueue|avgInQueue|maxInQueue)$' THEN "actualValue"
        WHEN jsonb_typeof("facts" #> '{metrics,current,inQueue}') = 'number'
          THEN ("facts" #>> '{metrics,current,inQueue}')::double precision
      END) STORED,
    "waitSeconds" DOUBLE PRECISION GENERATED ALWAYS AS (
      CASE
        WHEN "metricPath" ~ 'WaitSeconds$' THEN "actualValue"
        WHEN jsonb_typeof("facts" #> '{metrics,current,maxWaitSeconds}') = 'number'
          THEN ("facts" #>> '{metrics,current,maxWaitSeconds}')::double precision
      END) STORED,
    "serviceSeconds" DOUBLE PRECISION GENERATED ALWAYS AS (
      CASE
        WHEN "metricPath" ~ 'ServiceSeconds$' THEN "actualValue"
        WHEN jsonb_typeof("facts" #> '{metrics,current,maxServiceSeconds}') = 'number'
          THEN ("facts" #>> '{metrics,current,maxServiceSeconds}')::double precision
      END) STORED,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AlertEvent_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "StoredImage" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "alertEventId" UUID,
    "kind" "ImageKind" NOT NULL,
    "index" SMALLINT NOT NULL DEFAULT 0,
    "objectKey" TEXT NOT NULL,
    "contentType" VARCHAR(40) NOT NULL DEFAULT 'image/jpeg',
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "sizeBytes" INTEGER NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "StoredImage_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Insight" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "alertEventId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "severity" "Severity" NOT NULL,
    "triggeredAt" TIMESTAMPTZ(3) NOT NULL,
    "vlmStatus" "VlmStatus" NOT NULL DEFAULT 'pending',
    "vlmSummary" VARCHAR(500),
    "vlmStructuredResult" JSONB,
    "riskLevel" "RiskLevel",
    "personCount" INTEGER,
    "vlmError" "VlmError",
    "vlmProvider" VARCHAR(40),
    "vlmModel" VARCHAR(200),
    "vlmAttempts" SMALLINT NOT NULL DEFAULT 0,
    "vlmTokensUsed" INTEGER,
    "vlmInputTokensUsed" INTEGER,
    "vlmOutputTokensUsed" INTEGER,
    "vlmRequestedAt" TIMESTAMPTZ(3),
    "vlmCompletedAt" TIMESTAMPTZ(3),
    "vlmDeadlineAt" TIMESTAMPTZ(3) NOT NULL,
    "vlmDueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "vlmClaimedUntil" TIMESTAMPTZ(3),
    "hasAttributes" BOOLEAN NOT NULL DEFAULT false,
    "attributesSummary" JSONB,
    "searchVector" tsvector GENERATED ALWAYS AS (
      setweight(to_tsvector('insight_words', coalesce("vlmSummary", '')), 'A')
      || setweight(jsonb_to_tsvector('insight_words', coalesce("vlmStructuredResult" -> 'activities', '[]'), '["string"]'), 'B')
      || setweight(to_tsvector('insight_words', coalesce("vlmStructuredResult" ->> 'environment', '')), 'C')
    ) STORED,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Insight_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "SearchWord" (
    "userId" UUID NOT NULL,
    "word" VARCHAR(40) NOT NULL,

    CONSTRAINT "SearchWord_pkey" PRIMARY KEY ("userId","word")
);

CREATE TABLE "AttributeRecord" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "insightId" UUID,
    "taskId" UUID,
    "computeNodeId" UUID,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "totalPersons" INTEGER NOT NULL,
    "attributes" JSONB NOT NULL,
    "known" JSONB,
    "coveredKeys" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "persons" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL
) PARTITION BY RANGE ("capturedAt");

CREATE TABLE "AttributeTrack" (
    "taskId" UUID NOT NULL,
    "trackId" INTEGER NOT NULL,
    "capturedAt" TIMESTAMPTZ(3) NOT NULL,
    "gender" VARCHAR(20),
    "age" VARCHAR(20),
    "knownKeys" TEXT[] DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "AttributeTrack_pkey" PRIMARY KEY ("taskId","trackId")
);

CREATE TABLE "AttributeHour" (
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "sceneId" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "totalRecords" INTEGER NOT NULL DEFAULT 0,
    "totalPersons" INTEGER NOT NULL DEFAULT 0,
    "female" INTEGER NOT NULL DEFAULT 0,
    "male" INTEGER NOT NULL DEFAULT 0,
    "ageLess18" INTEGER NOT NULL DEFAULT 0,
    "age18To60" INTEGER NOT NULL DEFAULT 0,
    "ageOver60" INTEGER NOT NULL DEFAULT 0,
    "knownFemale" INTEGER,
    "knownMale" INTEGER,
    "knownAgeLess18" INTEGER,
    "knownAge18To60" INTEGER,
    "knownAgeOver60" INTEGER,
    "coveredKeys" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "switchedOff" TEXT[] NOT NULL DEFAULT '{}',

    CONSTRAINT "AttributeHour_pkey" PRIMARY KEY ("sceneId","hour")
);

CREATE TABLE "Event" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "sequence" BIGSERIAL NOT NULL,
    "userId" UUID NOT NULL,
    "type" "EventType" NOT NULL,
    "severity" "Severity",
    "deviceId" UUID,
    "sceneId" UUID,
    "alertEventId" UUID,
    "body" BYTEA NOT NULL,
    "dedupeKey" TEXT,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Event_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Webhook" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "url" VARCHAR(500) NOT NULL,
    "name" VARCHAR(100),
    "secretEncrypted" TEXT NOT NULL,
    "secretLast4" CHAR(4) NOT NULL,
    "previousSecretEncrypted" TEXT,
    "previousSecretValidUntil" TIMESTAMPTZ(3),
    "subscribedTypes" "EventType"[],
    "timeoutMs" INTEGER NOT NULL DEFAULT 5000,
    "maxRetries" SMALLINT NOT NULL DEFAULT 3,
    "status" "WebhookStatus" NOT NULL DEFAULT 'enabled',
    "disabledAt" TIMESTAMPTZ(3),
    "disabledReason" TEXT,
    "failingSince" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Webhook_timeoutMs_check" CHECK ("timeoutMs" BETWEEN 1000 AND 30000),
    CONSTRAINT "Webhook_maxRetries_check" CHECK ("maxRetries" BETWEEN 0 AND 5)
);

CREATE TABLE "WebhookDelivery" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "webhookId" UUID NOT NULL,
    "webhookUrl" VARCHAR(500) NOT NULL,
    "eventId" UUID NOT NULL,
    "alertEventId" UUID,
    "notificationType" "EventType" NOT NULL,
    "severity" "Severity",
    "deviceId" UUID,
    "sceneId" UUID,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'pending',
    "httpStatusCode" SMALLINT,
    "responseTimeMs" INTEGER,
    "responseBody" TEXT,
    "errorMessage" TEXT,
    "attemptNumber" SMALLINT NOT NULL DEFAULT 1,
    "maxAttempts" SMALLINT NOT NULL,
    "isFinalAttempt" BOOLEAN NOT NULL DEFAULT false,
    "series" SMALLINT NOT NULL DEFAULT 1,
    "isTest" BOOLEAN NOT NULL DEFAULT false,
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimedUntil" TIMESTAMPTZ(3),
    "attemptedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Announcement" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "type" "EventType" NOT NULL,
    "title" VARCHAR(200) NOT NULL,
    "message" TEXT NOT NULL,
    "startsAt" TIMESTAMPTZ(3),
    "endsAt" TIMESTAMPTZ(3),
    "userIds" UUID[],
    "createdBy" UUID,
    "endedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Announcement_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "NotificationChannel" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "kind" "ChannelKind" NOT NULL,
    "name" VARCHAR(100),
    "status" "ChannelStatus" NOT NULL DEFAULT 'unconfirmed',
    "address" VARCHAR(254) NOT NULL,
    "addressHash" BYTEA NOT NULL,
    "subscriptionEncrypted" TEXT,
    "codeHash" BYTEA,
    "codeExpiresAt" TIMESTAMPTZ(3),
    "codeTries" SMALLINT NOT NULL DEFAULT 0,
    "confirmedAt" TIMESTAMPTZ(3),
    "disabledAt" TIMESTAMPTZ(3),
    "disabledReason" TEXT,
    "failingSince" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "NotificationChannel_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "NotificationSubscription" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "name" VARCHAR(100),
    "isEnabled" BOOLEAN NOT NULL DEFAULT true,
    "kinds" "NotificationKind"[],
    "severities" "Severity"[],
    "ruleIds" UUID[],
    "deviceIds" UUID[],
    "siteIds" UUID[],
    "quietHours" JSONB,
    "minDistanceSeconds" INTEGER NOT NULL DEFAULT 60,
    "nextAt" TIMESTAMPTZ(3),
    "heldId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "NotificationSubscription_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "Notification" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "channelKind" "ChannelKind" NOT NULL,
    "subscriptionId" UUID,
    "messageId" UUID NOT NULL DEFAULT uuid_v7(),
    "kind" "NotificationKind" NOT NULL,
    "severity" "Severity",
    "deviceId" UUID,
    "sceneId" UUID,
    "alertEventId" UUID,
    "eventIds" UUID[],
    "reportId" UUID,
    "eventCount" INTEGER NOT NULL DEFAULT 0,
    "since" TIMESTAMPTZ(3),
    "contentEncrypted" TEXT,
    "status" "DeliveryStatus" NOT NULL DEFAULT 'pending',
    "responseCode" SMALLINT,
    "responseTimeMs" INTEGER,
    "responseBody" TEXT,
    "errorMessage" TEXT,
    "attemptNumber" SMALLINT NOT NULL DEFAULT 1,
    "maxAttempts" SMALLINT NOT NULL,
    "isFinalAttempt" BOOLEAN NOT NULL DEFAULT false,
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claimedUntil" TIMESTAMPTZ(3),
    "attemptedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Notification_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ReportSubscription" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "siteId" UUID NOT NULL,
    "period" "ReportPeriod" NOT NULL,
    "localTime" CHAR(5) NOT NULL,
    "weekday" SMALLINT,
    "nextDueAt" TIMESTAMPTZ(3) NOT NULL,
    "claimedUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ReportSubscription_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "ReportSubscriptionChannel" (
    "subscriptionId" UUID NOT NULL,
    "channelId" UUID NOT NULL,

    CONSTRAINT "ReportSubscriptionChannel_pkey" PRIMARY KEY ("subscriptionId","channelId")
);

CREATE TABLE "SentReport" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "subscriptionId" UUID NOT NULL,
    "period" "ReportPeriod" NOT NULL,
    "date" DATE NOT NULL,
    "status" "ReportStatus" NOT NULL,
    "reason" VARCHAR(200),
    "openMessages" SMALLINT NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SentReport_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "QuotaBase" (
    "scope" "QuotaScope" NOT NULL,
    "scopeId" UUID NOT NULL,
    "feature" "Feature" NOT NULL,
    "userId" UUID NOT NULL,
    "monthlyLimit" BIGINT,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "QuotaBase_pkey" PRIMARY KEY ("scope","scopeId","feature")
);

CREATE TABLE "Quota" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "scope" "QuotaScope" NOT NULL,
    "scopeId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "period" CHAR(7) NOT NULL,
    "feature" "Feature" NOT NULL,
    "limit" BIGINT NOT NULL DEFAULT 0,
    "used" BIGINT NOT NULL DEFAULT 0,
    "isUnlimited" BOOLEAN NOT NULL DEFAULT false,
    "warnedAt" TIMESTAMPTZ(3),
    "exceededAt" TIMESTAMPTZ(3),
    "foldedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Quota_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "Quota_period_check" CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$')
);

CREATE TABLE "FoldedQuota" (
    "quotaId" UUID NOT NULL,
    "ledger" BIGINT NOT NULL DEFAULT 0,
    "used" BIGINT NOT NULL DEFAULT 0,
    "events" INTEGER NOT NULL DEFAULT 0,
    "completedAt" TIMESTAMPTZ(3),

    CONSTRAINT "FoldedQuota_pkey" PRIMARY KEY ("quotaId")
);

CREATE TABLE "QuotaTransaction" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "quotaId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "scope" "QuotaScope" NOT NULL,
    "scopeId" UUID NOT NULL,
    "period" CHAR(7) NOT NULL,
    "feature" "Feature" NOT NULL,
    "type" "TransactionType" NOT NULL,
    "source" "QuotaSource" NOT NULL,
    "sourceId" VARCHAR(200) NOT NULL,
    "amount" BIGINT NOT NULL,
    "balanceBefore" BIGINT NOT NULL,
    "balanceAfter" BIGINT NOT NULL,
    "deviceId" UUID,
    "referenceId" UUID,
    "reason" VARCHAR(500),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "QuotaTransaction_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "QuotaTransaction_period_check" CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$'),
    CONSTRAINT "QuotaTransaction_amount_check" CHECK (amount >= 0),
    CONSTRAINT "QuotaTransaction_balance_check" CHECK ("balanceAfter" - "balanceBefore" = CASE type WHEN 'credit' THEN amount ELSE -amount END)
);

CREATE TABLE "UsageEvent" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "userId" UUID NOT NULL,
    "deviceId" UUID,
    "sceneId" UUID,
    "taskId" UUID,
    "feature" "Feature" NOT NULL,
    "analysisType" "AnalysisType",
    "quantity" BIGINT NOT NULL,
    "sourceId" VARCHAR(200) NOT NULL,
    "period" CHAR(7) NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "UsageEvent_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "UsageEvent_period_check" CHECK (period ~ '^\d{4}-(0[1-9]|1[0-2])$')
);

CREATE TABLE "SearchReservation" (
    "sourceId" VARCHAR(200) NOT NULL,
    "userId" UUID NOT NULL,
    "deadlineAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "SearchReservation_pkey" PRIMARY KEY ("sourceId")
);

CREATE TABLE "UsageDay" (
    "userId" UUID NOT NULL,
    "deviceId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "feature" "Feature" NOT NULL,
    "analysisType" "AnalysisType" NOT NULL DEFAULT 'queue_analysis',
    "quantity" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "UsageDay_pkey" PRIMARY KEY ("userId","day","deviceId","feature","analysisType")
);

CREATE TABLE "BillingCycle" (
    "userId" UUID NOT NULL,
    "period" CHAR(7) NOT NULL,
    "analysisSeconds" BIGINT NOT NULL,
    "alertCount" BIGINT NOT NULL,
    "attributeCount" BIGINT NOT NULL,
    "vlmTokens" BIGINT NOT NULL,
    "completedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "BillingCycle_pkey" PRIMARY KEY ("userId","period")
);

CREATE TABLE "Setting" (
    "key" VARCHAR(100) NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Setting_pkey" PRIMARY KEY ("key")
);

CREATE TABLE "RateLimit" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "RateLimit_pkey" PRIMARY KEY ("key")
);

CREATE INDEX "User_createdAt_id_idx" ON "User"("createdAt" DESC, "id" DESC);
CREATE UNIQUE INDEX "ApiKey_keyId_key" ON "ApiKey"("keyId");
CREATE INDEX "ApiKey_userId_createdAt_idx" ON "ApiKey"("userId", "createdAt" DESC);
CREATE INDEX "ApiKey_parentId_idx" ON "ApiKey"("parentId");
CREATE UNIQUE INDEX "Session_tokenHash_key" ON "Session"("tokenHash");
CREATE INDEX "Session_userId_createdAt_id_idx" ON "Session"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Session_apiKeyId_idx" ON "Session"("apiKeyId");
CREATE INDEX "Session_expiresAt_idx" ON "Session"("expiresAt");
CREATE INDEX "Session_revokedAt_idx" ON "Session"("revokedAt");
CREATE UNIQUE INDEX "LoginCode_codeHash_key" ON "LoginCode"("codeHash");
CREATE INDEX "LoginCode_userId_idx" ON "LoginCode"("userId");
CREATE INDEX "LoginCode_apiKeyId_idx" ON "LoginCode"("apiKeyId");
CREATE INDEX "LoginCode_sessionId_idx" ON "LoginCode"("sessionId");
CREATE INDEX "LoginCode_expiresAt_idx" ON "LoginCode"("expiresAt");
CREATE INDEX "IdempotentCall_expiresAt_idx" ON "IdempotentCall"("expiresAt");
CREATE INDEX "AuditEntry_user_list_idx" ON "AuditEntry"("userId", "at" DESC, "id" DESC, "action", "actorId", "targetId");
CREATE INDEX "AuditEntry_list_idx" ON "AuditEntry"("at" DESC, "id" DESC, "action", "actorId", "targetId");
CREATE INDEX "AuditEntry_action_idx" ON "AuditEntry"("action", "at" DESC, "id" DESC);
CREATE UNIQUE INDEX "DataJob_objectKey_key" ON "DataJob"("objectKey");
CREATE INDEX "DataJob_list_idx" ON "DataJob"("userId", "kind", "createdAt" DESC, "id" DESC);
CREATE INDEX "FrameRequest_deviceId_createdAt_idx" ON "FrameRequest"("deviceId", "createdAt" DESC);
CREATE INDEX "FrameRequest_createdAt_idx" ON "FrameRequest"("createdAt");
CREATE INDEX "DiscoveryRequest_userId_idx" ON "DiscoveryRequest"("userId");
CREATE INDEX "DiscoveryRequest_createdAt_idx" ON "DiscoveryRequest"("createdAt");
CREATE INDEX "Site_userId_createdAt_id_idx" ON "Site"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "SiteDevice_deviceId_idx" ON "SiteDevice"("deviceId");
CREATE INDEX "Scene_deviceId_idx" ON "Scene"("deviceId");
CREATE INDEX "SceneRestart_userId_idx" ON "SceneRestart"("userId");
CREATE INDEX "SceneRestart_dueAt_idx" ON "SceneRestart"("dueAt");
CREATE UNIQUE INDEX "Recording_deviceId_key" ON "Recording"("deviceId");
CREATE UNIQUE INDEX "Recording_sceneId_key" ON "Recording"("sceneId");
CREATE UNIQUE INDEX "Recording_objectKey_key" ON "Recording"("objectKey");
CREATE UNIQUE INDEX "ComputeNode_name_key" ON "ComputeNode"("name");
CREATE INDEX "ComputeNode_lastHeartbeatAt_idx" ON "ComputeNode"("lastHeartbeatAt");
CREATE INDEX "NodeNotice_userId_idx" ON "NodeNotice"("userId");
CREATE INDEX "AnalysisTask_sceneId_createdAt_idx" ON "AnalysisTask"("sceneId", "createdAt" DESC);
CREATE INDEX "AnalysisTask_deviceId_idx" ON "AnalysisTask"("deviceId");
CREATE INDEX "Visit_decided_idx" ON "Visit"("sceneId", "outcomeDecidedAt", "outcome", "queueEnteredAt", "queueLeftAt", "serviceStartedAt", "serviceEndedAt");
CREATE INDEX "Visit_entries_idx" ON "Visit"("sceneId", "arrivalDecidedAt", "outcomeDecidedAt", "outcome", "queueEnteredAt");
CREATE UNIQUE INDEX "Visit_taskId_number_key" ON "Visit"("taskId", "number");
CREATE INDEX "OccupancyMinute_minute_idx" ON "OccupancyMinute" USING BRIN ("minute");
CREATE INDEX "FloorHour_hour_idx" ON "FloorHour" USING BRIN ("hour");
CREATE INDEX "MetricSnapshot_createdAt_idx" ON "MetricSnapshot" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "MetricSnapshot_sceneId_windowEnd_key" ON "MetricSnapshot"("sceneId", "windowEnd" DESC);
CREATE INDEX "RollingRecord_sceneId_windowEnd_idx" ON "RollingRecord"("sceneId", "windowEnd" DESC);
CREATE INDEX "RollingRecord_createdAt_idx" ON "RollingRecord" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "RollingRecord_sceneId_windowType_windowEnd_key" ON "RollingRecord"("sceneId", "windowType", "windowEnd" DESC);
CREATE INDEX "AlertRule_scene_idx" ON "AlertRule"("sceneId");
CREATE INDEX "Firing_recordBy_idx" ON "Firing"("recordBy");
CREATE UNIQUE INDEX "Firing_ruleId_firedAt_key" ON "Firing"("ruleId", "firedAt");
CREATE INDEX "AlertEvent_sceneId_idx" ON "AlertEvent"("sceneId");
CREATE INDEX "AlertEvent_deviceId_idx" ON "AlertEvent"("deviceId");
CREATE UNIQUE INDEX "AlertEvent_ruleId_triggeredAt_key" ON "AlertEvent"("ruleId", "triggeredAt");
CREATE UNIQUE INDEX "StoredImage_objectKey_key" ON "StoredImage"("objectKey");
CREATE INDEX "StoredImage_userId_idx" ON "StoredImage"("userId");
CREATE INDEX "StoredImage_createdAt_idx" ON "StoredImage"("createdAt");
CREATE UNIQUE INDEX "StoredImage_alertEventId_kind_index_key" ON "StoredImage"("alertEventId", "kind", "index");
CREATE UNIQUE INDEX "Insight_alertEventId_key" ON "Insight"("alertEventId");
CREATE INDEX "Insight_search_idx" ON "Insight" USING GIN ("userId" uuid_ops, "searchVector");
CREATE INDEX "Insight_sceneId_idx" ON "Insight"("sceneId");
CREATE INDEX "Insight_deviceId_idx" ON "Insight"("deviceId");
CREATE INDEX "SearchWord_trigrams_idx" ON "SearchWord" USING GIN ("userId" uuid_ops, "word" gin_trgm_ops);
CREATE INDEX "AttributeRecord_id_idx" ON "AttributeRecord"("id");
CREATE INDEX "AttributeRecord_user_list_idx" ON "AttributeRecord"("userId", "capturedAt" DESC, "id" DESC, "deviceId", "sceneId");
CREATE INDEX "AttributeRecord_deviceId_capturedAt_idx" ON "AttributeRecord"("deviceId", "capturedAt" DESC);
CREATE INDEX "AttributeRecord_insightId_idx" ON "AttributeRecord"("insightId");
CREATE INDEX "AttributeRecord_createdAt_idx" ON "AttributeRecord" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "AttributeRecord_sceneId_capturedAt_key" ON "AttributeRecord"("sceneId", "capturedAt" DESC);
CREATE INDEX "AttributeTrack_capturedAt_idx" ON "AttributeTrack" USING BRIN ("capturedAt");
CREATE INDEX "AttributeHour_userId_hour_idx" ON "AttributeHour"("userId", "hour");
CREATE INDEX "AttributeHour_deviceId_hour_idx" ON "AttributeHour"("deviceId", "hour");
CREATE UNIQUE INDEX "Event_sequence_key" ON "Event"("sequence");
CREATE UNIQUE INDEX "Event_dedupeKey_key" ON "Event"("dedupeKey");
CREATE INDEX "Event_userId_sequence_idx" ON "Event"("userId", "sequence");
CREATE INDEX "Event_userId_occurredAt_id_type_idx" ON "Event"("userId", "occurredAt" DESC, "id" DESC, "type");
CREATE INDEX "Event_createdAt_idx" ON "Event" USING BRIN ("createdAt");
CREATE INDEX "WebhookDelivery_userId_createdAt_id_idx" ON "WebhookDelivery"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "WebhookDelivery_webhookId_idx" ON "WebhookDelivery"("webhookId");
CREATE INDEX "WebhookDelivery_createdAt_idx" ON "WebhookDelivery" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "WebhookDelivery_eventId_webhookId_series_attemptNumber_key" ON "WebhookDelivery"("eventId", "webhookId", "series", "attemptNumber");
CREATE INDEX "NotificationChannel_userId_createdAt_id_idx" ON "NotificationChannel"("userId", "createdAt" DESC, "id" DESC);
CREATE UNIQUE INDEX "NotificationChannel_userId_addressHash_key" ON "NotificationChannel"("userId", "addressHash");
CREATE INDEX "NotificationSubscription_userId_createdAt_id_idx" ON "NotificationSubscription"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "NotificationSubscription_channelId_idx" ON "NotificationSubscription"("channelId");
CREATE INDEX "Notification_userId_createdAt_id_idx" ON "Notification"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "Notification_channelId_idx" ON "Notification"("channelId");
CREATE INDEX "Notification_subscriptionId_idx" ON "Notification"("subscriptionId");
CREATE INDEX "Notification_createdAt_idx" ON "Notification" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "Notification_messageId_attemptNumber_key" ON "Notification"("messageId", "attemptNumber");
CREATE INDEX "ReportSubscription_userId_createdAt_id_idx" ON "ReportSubscription"("userId", "createdAt" DESC, "id" DESC);
CREATE INDEX "ReportSubscription_siteId_idx" ON "ReportSubscription"("siteId");
CREATE INDEX "ReportSubscription_nextDueAt_idx" ON "ReportSubscription"("nextDueAt");
CREATE INDEX "ReportSubscriptionChannel_channelId_idx" ON "ReportSubscriptionChannel"("channelId");
CREATE INDEX "SentReport_createdAt_idx" ON "SentReport" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "SentReport_subscriptionId_period_date_key" ON "SentReport"("subscriptionId", "period", "date");
CREATE INDEX "QuotaBase_userId_idx" ON "QuotaBase"("userId");
CREATE INDEX "Quota_userId_period_idx" ON "Quota"("userId", "period");
CREATE UNIQUE INDEX "Quota_scope_scopeId_period_feature_key" ON "Quota"("scope", "scopeId", "period", "feature");
CREATE INDEX "QuotaTransaction_userId_idx" ON "QuotaTransaction"("userId");
CREATE INDEX "QuotaTransaction_quotaId_createdAt_idx" ON "QuotaTransaction"("quotaId", "createdAt");
CREATE INDEX "UsageEvent_user_list_idx" ON "UsageEvent"("userId", "occurredAt");
CREATE INDEX "UsageEvent_device_list_idx" ON "UsageEvent"("userId", "deviceId", "occurredAt");
CREATE UNIQUE INDEX "UsageEvent_feature_sourceId_key" ON "UsageEvent"("feature", "sourceId");
CREATE INDEX "SearchReservation_userId_idx" ON "SearchReservation"("userId");
CREATE INDEX "SearchReservation_deadlineAt_idx" ON "SearchReservation"("deadlineAt");
CREATE INDEX "UsageDay_userId_deviceId_day_idx" ON "UsageDay"("userId", "deviceId", "day");
CREATE INDEX "RateLimit_expire_idx" ON "RateLimit"("expire");

ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Session" ADD CONSTRAINT "Session_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LoginCode" ADD CONSTRAINT "LoginCode_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LoginCode" ADD CONSTRAINT "LoginCode_apiKeyId_fkey" FOREIGN KEY ("apiKeyId") REFERENCES "ApiKey"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LoginCode" ADD CONSTRAINT "LoginCode_sessionId_fkey" FOREIGN KEY ("sessionId") REFERENCES "Session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "IdempotentCall" ADD CONSTRAINT "IdempotentCall_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AuditEntry" ADD CONSTRAINT "AuditEntry_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "DataJob" ADD CONSTRAINT "DataJob_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Device" ADD CONSTRAINT "Device_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "FrameRequest" ADD CONSTRAINT "FrameRequest_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "DiscoveryRequest" ADD CONSTRAINT "DiscoveryRequest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Site" ADD CONSTRAINT "Site_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SiteDevice" ADD CONSTRAINT "SiteDevice_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SiteDevice" ADD CONSTRAINT "SiteDevice_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LiveWish" ADD CONSTRAINT "LiveWish_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "LivePicture" ADD CONSTRAINT "LivePicture_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Scene" ADD CONSTRAINT "Scene_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Scene" ADD CONSTRAINT "Scene_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SceneRestart" ADD CONSTRAINT "SceneRestart_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SceneRestart" ADD CONSTRAINT "SceneRestart_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Recording" ADD CONSTRAINT "Recording_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Recording" ADD CONSTRAINT "Recording_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Recording" ADD CONSTRAINT "Recording_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "NodeNotice" ADD CONSTRAINT "NodeNotice_computeNodeId_fkey" FOREIGN KEY ("computeNodeId") REFERENCES "ComputeNode"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "NodeNotice" ADD CONSTRAINT "NodeNotice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AnalysisTask" ADD CONSTRAINT "AnalysisTask_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AnalysisTask" ADD CONSTRAINT "AnalysisTask_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AnalysisTask" ADD CONSTRAINT "AnalysisTask_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AnalysisTask" ADD CONSTRAINT "AnalysisTask_computeNodeId_fkey" FOREIGN KEY ("computeNodeId") REFERENCES "ComputeNode"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "AnalysisTask" ADD CONSTRAINT "AnalysisTask_reservedNodeId_fkey" FOREIGN KEY ("reservedNodeId") REFERENCES "ComputeNode"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "RunLease" ADD CONSTRAINT "RunLease_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "AnalysisTask"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Visit" ADD CONSTRAINT "Visit_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "AnalysisTask"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Visit" ADD CONSTRAINT "Visit_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "OccupancyMinute" ADD CONSTRAINT "OccupancyMinute_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "FloorHour" ADD CONSTRAINT "FloorHour_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SceneFeet" ADD CONSTRAINT "SceneFeet_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "OccupancyQuarter" ADD CONSTRAINT "OccupancyQuarter_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "VisitQuarter" ADD CONSTRAINT "VisitQuarter_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SceneTotals" ADD CONSTRAINT "SceneTotals_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "MetricSnapshot" ADD CONSTRAINT "MetricSnapshot_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "RollingRecord" ADD CONSTRAINT "RollingRecord_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AlertRule" ADD CONSTRAINT "AlertRule_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AlertRule" ADD CONSTRAINT "AlertRule_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Firing" ADD CONSTRAINT "Firing_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AlertEvent" ADD CONSTRAINT "AlertEvent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AlertEvent" ADD CONSTRAINT "AlertEvent_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AlertEvent" ADD CONSTRAINT "AlertEvent_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AlertEvent" ADD CONSTRAINT "AlertEvent_ruleId_fkey" FOREIGN KEY ("ruleId") REFERENCES "AlertRule"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "StoredImage" ADD CONSTRAINT "StoredImage_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "StoredImage" ADD CONSTRAINT "StoredImage_alertEventId_fkey" FOREIGN KEY ("alertEventId") REFERENCES "AlertEvent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Insight" ADD CONSTRAINT "Insight_alertEventId_fkey" FOREIGN KEY ("alertEventId") REFERENCES "AlertEvent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Insight" ADD CONSTRAINT "Insight_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Insight" ADD CONSTRAINT "Insight_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Insight" ADD CONSTRAINT "Insight_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SearchWord" ADD CONSTRAINT "SearchWord_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeRecord" ADD CONSTRAINT "AttributeRecord_insightId_fkey" FOREIGN KEY ("insightId") REFERENCES "Insight"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "AttributeTrack" ADD CONSTRAINT "AttributeTrack_taskId_fkey" FOREIGN KEY ("taskId") REFERENCES "AnalysisTask"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeHour" ADD CONSTRAINT "AttributeHour_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeHour" ADD CONSTRAINT "AttributeHour_deviceId_fkey" FOREIGN KEY ("deviceId") REFERENCES "Device"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "AttributeHour" ADD CONSTRAINT "AttributeHour_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Event" ADD CONSTRAINT "Event_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "Event"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "NotificationChannel" ADD CONSTRAINT "NotificationChannel_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "NotificationSubscription" ADD CONSTRAINT "NotificationSubscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "NotificationSubscription" ADD CONSTRAINT "NotificationSubscription_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "NotificationChannel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "NotificationChannel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Notification" ADD CONSTRAINT "Notification_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "NotificationSubscription"("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "ReportSubscription" ADD CONSTRAINT "ReportSubscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ReportSubscription" ADD CONSTRAINT "ReportSubscription_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ReportSubscriptionChannel" ADD CONSTRAINT "ReportSubscriptionChannel_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "ReportSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "ReportSubscriptionChannel" ADD CONSTRAINT "ReportSubscriptionChannel_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "NotificationChannel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SentReport" ADD CONSTRAINT "SentReport_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "ReportSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QuotaBase" ADD CONSTRAINT "QuotaBase_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Quota" ADD CONSTRAINT "Quota_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "FoldedQuota" ADD CONSTRAINT "FoldedQuota_quotaId_fkey" FOREIGN KEY ("quotaId") REFERENCES "Quota"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QuotaTransaction" ADD CONSTRAINT "QuotaTransaction_quotaId_fkey" FOREIGN KEY ("quotaId") REFERENCES "Quota"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "QuotaTransaction" ADD CONSTRAINT "QuotaTransaction_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "UsageEvent" ADD CONSTRAINT "UsageEvent_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "SearchReservation" ADD CONSTRAINT "SearchReservation_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "UsageDay" ADD CONSTRAINT "UsageDay_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "BillingCycle" ADD CONSTRAINT "BillingCycle_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the schema language has no words for. Prisma leaves it alone; test/rules/schema.test.ts holds it.

-- Uniques among the rows that count: deleted and ended ones may repeat.
CREATE UNIQUE INDEX "User_email_key" ON "User"("email") WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "Webhook_userId_key" ON "Webhook"("userId") WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "AnalysisTask_one_active_run_per_scene" ON "AnalysisTask"("sceneId") WHERE (status = 'QUEUED') OR (status = 'PROCESSING');
CREATE UNIQUE INDEX "DiscoveryRequest_underWay" ON "DiscoveryRequest"("userId") WHERE status IN ('pending', 'searching');
CREATE UNIQUE INDEX "AuditEntry_once_idx" ON "AuditEntry"("userId", "once") WHERE "once" IS NOT NULL;
-- A usage event is charged or returned once to each scope; its id is shorter than its name and comes in order. Top-ups, limits and
-- payments are made once for each name.
CREATE UNIQUE INDEX "QuotaTransaction_event_key" ON "QuotaTransaction"("referenceId", "scope") WHERE source IN ('consumption', 'usage_rollback');
CREATE UNIQUE INDEX "QuotaTransaction_source_key" ON "QuotaTransaction"("scope", "scopeId", "source", "sourceId", "feature") WHERE source NOT IN ('consumption', 'usage_rollback');

-- Lists and their totals are read from indexes alone: owner, place and time first, then what filters, so that the rows themselves are
-- fetched for the page that is shown only.
CREATE INDEX "Device_userId_createdAt_id_idx" ON "Device"("userId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "Scene_userId_createdAt_id_idx" ON "Scene"("userId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "Scene_deviceId_createdAt_idx" ON "Scene"("deviceId", "createdAt" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "Recording_list_idx" ON "Recording"("userId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "AnalysisTask_userId_createdAt_id_idx" ON "AnalysisTask"("userId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "AnalysisTask_userId_status_createdAt_idx" ON "AnalysisTask"("userId", "status", "createdAt" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "AnalysisTask_deviceId_createdAt_id_idx" ON "AnalysisTask"("deviceId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertRule_userId_createdAt_id_idx" ON "AlertRule"("userId", "createdAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_user_list_idx" ON "AlertEvent"("userId", "triggeredAt" DESC, "id" DESC, "severity", "metricPath") WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_scene_list_idx" ON "AlertEvent"("sceneId", "userId", "triggeredAt" DESC, "id" DESC, "severity") WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_device_list_idx" ON "AlertEvent"("deviceId", "userId", "triggeredAt" DESC, "id" DESC, "severity") WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_rule_list_idx" ON "AlertEvent"("ruleId", "userId", "triggeredAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL;
CREATE INDEX "AlertEvent_open_idx" ON "AlertEvent"("userId", "triggeredAt" DESC, "id" DESC, "severity", "metricPath") WHERE "deletedAt" IS NULL AND "acknowledgedAt" IS NULL;
CREATE INDEX "AlertEvent_acknowledged_idx" ON "AlertEvent"("userId", "triggeredAt" DESC, "id" DESC, "severity", "metricPath") WHERE "deletedAt" IS NULL AND "acknowledgedAt" IS NOT NULL;
CREATE INDEX "AlertEvent_userId_measures_idx" ON "AlertEvent"("userId", "waitSeconds", "queueLength", "serviceSeconds", "id") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_user_list_idx" ON "Insight"("userId", "triggeredAt" DESC, "id" DESC, "severity", "vlmStatus", "hasAttributes", "riskLevel", "personCount") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_scene_list_idx" ON "Insight"("sceneId", "userId", "triggeredAt" DESC, "id" DESC, "severity", "vlmStatus") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_device_list_idx" ON "Insight"("deviceId", "userId", "triggeredAt" DESC, "id" DESC, "severity", "vlmStatus") WHERE "deletedAt" IS NULL;
CREATE INDEX "Insight_summary_list_idx" ON "Insight"("userId", "triggeredAt" DESC, "id" DESC) WHERE "deletedAt" IS NULL AND "vlmSummary" IS NOT NULL;
CREATE INDEX "Announcement_shown" ON "Announcement"("createdAt" DESC) WHERE "endedAt" IS NULL;

-- Queues, deadlines and what is left to erase: only the rows that are asked for.
CREATE INDEX "Device_nextProbeAt_idx" ON "Device"("nextProbeAt") WHERE "deletedAt" IS NULL;
CREATE INDEX "Device_nextScheduleAt_idx" ON "Device"("nextScheduleAt") WHERE "deletedAt" IS NULL;
CREATE INDEX "AnalysisTask_queue_idx" ON "AnalysisTask"("priority", "createdAt") WHERE status = 'QUEUED';
CREATE INDEX "AnalysisTask_computeNodeId_idx" ON "AnalysisTask"("computeNodeId") WHERE status = 'PROCESSING';
CREATE INDEX "AnalysisTask_reservedNodeId_idx" ON "AnalysisTask"("reservedNodeId") WHERE status = 'QUEUED';
CREATE INDEX "AnalysisTask_waitsSince_idx" ON "AnalysisTask"("waitsSince") WHERE "waitsSince" IS NOT NULL;
CREATE INDEX "Visit_open_idx" ON "Visit"("sceneId") WHERE "outcomeDecidedAt" IS NULL;
CREATE INDEX "Insight_vlmDueAt_idx" ON "Insight"("vlmDueAt", "id") WHERE "vlmStatus" = 'pending';
CREATE INDEX "Insight_vlmDeadlineAt_idx" ON "Insight"("vlmDeadlineAt") WHERE "vlmStatus" = 'pending';
CREATE INDEX "WebhookDelivery_due_idx" ON "WebhookDelivery"("userId", "dueAt") WHERE status = 'pending';
CREATE INDEX "WebhookDelivery_failed_idx" ON "WebhookDelivery"("userId", "createdAt") WHERE status = 'failed' AND "isFinalAttempt";
CREATE INDEX "Notification_waiting_idx" ON "Notification"("channelKind", "channelId", "dueAt") WHERE "status" = 'pending';
CREATE INDEX "Quota_unfolded_idx" ON "Quota"("period") WHERE "foldedAt" IS NULL;
CREATE INDEX "FoldedQuota_open_idx" ON "FoldedQuota"("quotaId") WHERE "completedAt" IS NULL;
CREATE INDEX "DataJob_due_idx" ON "DataJob"("dueAt") WHERE "status" IN ('queued', 'running');
CREATE INDEX "DataJob_file_idx" ON "DataJob"("expiresAt") WHERE "objectKey" IS NOT NULL;
CREATE INDEX "Scene_pictures_left_idx" ON "Scene"("deletedAt") WHERE "deletedAt" IS NOT NULL AND "picturesErasedAt" IS NULL;
CREATE INDEX "Recording_deleted_idx" ON "Recording"("deletedAt") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "AlertEvent_deleted_idx" ON "AlertEvent"("deletedAt") WHERE "deletedAt" IS NOT NULL;

-- The place of an event in its stream is taken at commit, one transaction after the other: whoever has seen a place
-- has seen every one before it, and goes on from there without missing what was under way meanwhile. NOTIFY makes
-- commits wait for each other in the same way.
CREATE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('place_event', 0));
  UPDATE "Event" SET sequence = nextval('"Event_sequence_seq"') WHERE id = NEW.id;
  PERFORM pg_notify('events', NEW."userId"::text);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "Event_place" AFTER INSERT ON "Event"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION place_event();

-- Whoever ends a run (its node, the API, another node): no rule of its scene is firing any more. The cooldown goes on.
CREATE FUNCTION end_firing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "AlertRule" SET "isFiring" = false, "holdingSince" = NULL
  WHERE "sceneId" = NEW."sceneId" AND "deletedAt" IS NULL AND ("isFiring" OR "holdingSince" IS NOT NULL);
  RETURN NULL;
END $$;
CREATE TRIGGER "AnalysisTask_end_firing" AFTER UPDATE OF status ON "AnalysisTask"
  FOR EACH ROW WHEN (NEW.status IN ('COMPLETED', 'FAILED', 'CANCELLED') AND OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION end_firing();

-- Words of insights, with which misspelt words of a search are compared. In one order, so that two writers of the same new words never
-- wait for each other in a circle.
CREATE FUNCTION note_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SearchWord" ("userId", "word")
  SELECT DISTINCT "userId", word FROM written, unnest(tsvector_to_array("searchVector")) AS word
  WHERE word ~ '^[[:alpha:]]{4,40}$'
  ORDER BY 1, 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "Insight_words_of_new" AFTER INSERT ON "Insight"
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION note_search_words();
CREATE FUNCTION note_changed_search_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "SearchWord" ("userId", "word")
  SELECT NEW."userId", word FROM unnest(tsvector_to_array(NEW."searchVector")) AS word
  WHERE word ~ '^[[:alpha:]]{4,40}$'
  ORDER BY 2
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER "Insight_words_of_changed" AFTER UPDATE OF "vlmSummary", "vlmStructuredResult" ON "Insight"
  FOR EACH ROW WHEN (NEW."vlmSummary" IS NOT NULL) EXECUTE FUNCTION note_changed_search_words();

-- A quarter is always the sum of its minutes: both are written in one transaction, whoever writes the minutes. The minutes of one scene
-- lie on nearly as many pages as there are minutes, because all scenes write in turns; their lists in the quarter are few rows.
CREATE FUNCTION occupancy_quarters() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM "OccupancyQuarter" q
    USING (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
           FROM changed) c
    WHERE q."sceneId" = c."sceneId" AND q.quarter = c.quarter;
  END IF;
  -- LATERAL: a short index scan for each quarter, whatever the statistics of the table say.
  INSERT INTO "OccupancyQuarter" AS q ("sceneId", quarter, "coveredMs", "inQueueMs", "inServiceMs", "busyMs", "maxInQueue",
    "maxInService", "minuteAverages", "minuteMaxima")
  SELECT c."sceneId", c.quarter, m.*
  FROM (SELECT DISTINCT "sceneId", date_bin('15 minutes', minute, timestamptz '2000-01-01 00:00Z') AS quarter
        FROM changed) c
  CROSS JOIN LATERAL (
    SELECT sum("coveredMs")::int, sum("inQueueMs")::bigint, sum("inServiceMs")::bigint, sum("busyMs")::int,
      max("maxInQueue"), max("maxInService"),
      array_agg(least("inQueueMs" / nullif("coveredMs", 0), 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0),
      array_agg(least("maxInQueue", 32767)::smallint ORDER BY minute) FILTER (WHERE "coveredMs" > 0)
    FROM "OccupancyMinute" o
    WHERE o."sceneId" = c."sceneId" AND o.minute >= c.quarter AND o.minute < c.quarter + interval '15 minutes'
    HAVING count(*) > 0) m
  ON CONFLICT ("sceneId", quarter) DO UPDATE
  SET "coveredMs" = excluded."coveredMs", "inQueueMs" = excluded."inQueueMs", "inServiceMs" = excluded."inServiceMs",
      "busyMs" = excluded."busyMs", "maxInQueue" = excluded."maxInQueue", "maxInService" = excluded."maxInService",
      "minuteAverages" = excluded."minuteAverages", "minuteMaxima" = excluded."minuteMaxima"
  WHERE (q."coveredMs", q."inQueueMs", q."inServiceMs", q."busyMs", q."maxInQueue", q."maxInService", q."minuteAverages",
      q."minuteMaxima")
    IS DISTINCT FROM (excluded."coveredMs", excluded."inQueueMs", excluded."inServiceMs", excluded."busyMs",
      excluded."maxInQueue", excluded."maxInService", excluded."minuteAverages", excluded."minuteMaxima");
  RETURN NULL;
END $$;
CREATE TRIGGER occupancy_quarters_insert AFTER INSERT ON "OccupancyMinute"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
CREATE TRIGGER occupancy_quarters_update AFTER UPDATE ON "OccupancyMinute"
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION occupancy_quarters();
-- The removal of old minutes keeps their quarters: it sets this for its transaction.
CREATE TRIGGER occupancy_quarters_delete AFTER DELETE ON "OccupancyMinute"
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT
  WHEN (current_setting('retention.keeps_quarters', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION occupancy_quarters();

-- Each change of what the pictures of a device may show, or of what may be determined of people, counts one up, whoever makes it. A
-- picture that was made for an older number is not stored.
CREATE FUNCTION device_privacy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."privacyRevision" := OLD."privacyRevision" + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER "Device_privacy_changed" BEFORE UPDATE OF "privacyMask", "maskAnalysis" ON "Device"
  FOR EACH ROW WHEN (OLD."privacyMask" IS DISTINCT FROM NEW."privacyMask" OR OLD."maskAnalysis" <> NEW."maskAnalysis")
  EXECUTE FUNCTION device_privacy_changed();
CREATE TRIGGER "Device_attributes_changed" BEFORE UPDATE OF "attributeGroups" ON "Device"
  FOR EACH ROW WHEN (OLD."attributeGroups" <> NEW."attributeGroups") EXECUTE FUNCTION device_privacy_changed();

-- A device shows the masks of its scenes. The mask of a deleted scene ends with the next renewal of a lease.
CREATE FUNCTION scene_privacy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Device" SET "privacyRevision" = "privacyRevision" + 1 WHERE id = NEW."deviceId";
  RETURN NULL;
END $$;
CREATE TRIGGER "Scene_privacy_added" AFTER INSERT ON "Scene"
  FOR EACH ROW WHEN (NEW.config ? 'privacyMask') EXECUTE FUNCTION scene_privacy_changed();
CREATE TRIGGER "Scene_privacy_changed" AFTER UPDATE OF config ON "Scene"
  FOR EACH ROW WHEN (OLD.config -> 'privacyMask' IS DISTINCT FROM NEW.config -> 'privacyMask')
  EXECUTE FUNCTION scene_privacy_changed();

CREATE FUNCTION user_privacy_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "Device" d SET "privacyRevision" = d."privacyRevision" + 1
  FROM (SELECT id FROM "Device" WHERE "userId" = NEW.id ORDER BY id FOR NO KEY UPDATE) own
  WHERE d.id = own.id;
  RETURN NULL;
END $$;
CREATE TRIGGER "User_privacy_changed" AFTER UPDATE OF "blurPeople" ON "User"
  FOR EACH ROW WHEN (OLD."blurPeople" <> NEW."blurPeople") EXECUTE FUNCTION user_privacy_changed();
CREATE TRIGGER "User_attributes_changed" AFTER UPDATE OF "attributeGroups" ON "User"
  FOR EACH ROW WHEN (OLD."attributeGroups" <> NEW."attributeGroups") EXECUTE FUNCTION user_privacy_changed();

-- Nodes and watchers learn of it at commit. A live picture of an older number is not shown again.
CREATE FUNCTION privacy_revised() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "LivePicture" WHERE "deviceId" = NEW.id;
  PERFORM pg_notify('live_pictures', NEW.id::text);
  PERFORM pg_notify('analysis_runs', NEW.id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER "Device_privacy_revised" AFTER UPDATE OF "privacyRevision", "privacyMask", "maskAnalysis" ON "Device"
  FOR EACH ROW WHEN (OLD."privacyRevision" <> NEW."privacyRevision") EXECUTE FUNCTION privacy_revised();
CREATE TRIGGER "Device_attributes_revised" AFTER UPDATE OF "attributeGroups" ON "Device"
  FOR EACH ROW WHEN (OLD."privacyRevision" <> NEW."privacyRevision") EXECUTE FUNCTION privacy_revised();

-- Audit entries are only added. They go with their user, and at the earliest after 30 days by retention: no code and no
-- statement on the command line can remove a younger one.
CREATE FUNCTION audit_entry_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.at < clock_timestamp() - interval '30 days' OR NOT EXISTS (SELECT 1 FROM "User" u WHERE u.id = OLD."userId") THEN
      RETURN OLD;
    END IF;
  END IF;
  RAISE EXCEPTION 'Entries of the audit log cannot be changed or removed' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER "AuditEntry_stays" BEFORE UPDATE OR DELETE ON "AuditEntry"
  FOR EACH ROW EXECUTE FUNCTION audit_entry_stays();
CREATE TRIGGER "AuditEntry_stays_whole" BEFORE TRUNCATE ON "AuditEntry"
  FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_stays();

-- A report is `failed` when none of its e-mails has arrived after all attempts. Two of them may fail at the same time: the update of the
-- one row makes the second wait for the first.
CREATE FUNCTION "Notification_report_failed"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  why TEXT := CASE WHEN TG_OP = 'DELETE' THEN 'Its channel was deleted.' ELSE NEW."errorMessage" END;
BEGIN
  UPDATE "SentReport"
  SET "openMessages" = "openMessages" - 1,
      status = CASE WHEN "openMessages" = 1 THEN 'failed'::"ReportStatus" ELSE status END,
      reason = CASE WHEN "openMessages" = 1 THEN left(why, 200) ELSE reason END
  WHERE id = OLD."reportId" AND "openMessages" > 0;
  RETURN NULL;
END $$;
CREATE TRIGGER "Notification_report_failed" AFTER UPDATE OF status ON "Notification" FOR EACH ROW
  WHEN (OLD."reportId" IS NOT NULL AND OLD.status = 'pending' AND NEW.status = 'failed' AND NEW."isFinalAttempt")
  EXECUTE FUNCTION "Notification_report_failed"();
CREATE TRIGGER "Notification_report_removed" AFTER DELETE ON "Notification" FOR EACH ROW
  WHEN (OLD."reportId" IS NOT NULL AND OLD.status = 'pending') EXECUTE FUNCTION "Notification_report_failed"();

-- Rows of several partitions may have the same ctid. A statement that removes by ctid alone would remove young rows together with old
-- ones. It fails instead.
CREATE FUNCTION refuse_removal_by_ctid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_query() ~* '\mctid\M' THEN
    RAISE EXCEPTION 'Rows of "%" cannot be removed by ctid, because several of its partitions have the same', TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "MetricSnapshot" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "RollingRecord" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "OccupancyMinute" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();
CREATE TRIGGER refuse_removal_by_ctid BEFORE DELETE ON "AttributeRecord" FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal_by_ctid();

-- Partitions lie in a schema of their own, "partitions", which Prisma does not look at; src/platform/README.md explains who makes and
-- drops them. These are the default partitions and those of the first days or months.
DO $$
DECLARE
  -- Text of times, whatever the server's habits are.
  _style text := set_config('DateStyle', 'ISO', true) || set_config('TimeZone', 'UTC', true);
  home text := current_schema();
  spec record;
  first timestamptz;
  step interval;
  identity record;
BEGIN
  -- A role may lack the right to create a schema: then the default partitions lie beside the tables.
  BEGIN
    IF to_regnamespace('partitions') IS NULL THEN CREATE SCHEMA partitions; END IF;
    IF has_schema_privilege('partitions', 'CREATE') THEN home := 'partitions'; END IF;
  EXCEPTION WHEN insufficient_privilege THEN
    RAISE WARNING 'This role may not create the schema "partitions": metrics stay in one partition until it exists';
  END;
  FOR spec IN
    SELECT * FROM (VALUES ('MetricSnapshot', 'day', 2, '_YYYY_MM_DD'), ('RollingRecord', 'day', 2, '_YYYY_MM_DD'),
      ('OccupancyMinute', 'month', 1, '_YYYY_MM'), ('AttributeRecord', 'day', 2, '_YYYY_MM_DD')) AS t (name, width, ahead, suffix)
  LOOP
    EXECUTE format('CREATE TABLE %I.%I PARTITION OF %I DEFAULT', home, spec.name || '_default', spec.name);
    CONTINUE WHEN home <> 'partitions';
    first := date_trunc(spec.width, now(), 'UTC');
    step := ('1 ' || spec.width)::interval;
    FOR at IN 0..spec.ahead LOOP
      EXECUTE format('CREATE TABLE partitions.%I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
        spec.name || to_char(first + at * step, spec.suffix), spec.name, first + at * step, first + (at + 1) * step);
    END LOOP;
  END LOOP;
  -- What a primary key is for logical replication.
  FOR identity IN
    SELECT p.relid::regclass AS part, c.relname AS key
    FROM unnest(ARRAY['"MetricSnapshot"', '"RollingRecord"', '"AttributeRecord"']) t, pg_partition_tree(t::regclass) p
      JOIN pg_index i ON i.indrelid = p.relid AND i.indisunique JOIN pg_class c ON c.oid = i.indexrelid
  LOOP
    EXECUTE format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', identity.part, identity.key);
  END LOOP;
END $$;

-- Events after this place of the event stream are told by e-mail and push.
INSERT INTO "Setting" ("key", "value", "updatedAt") VALUES ('notificationsAfter', '0', CURRENT_TIMESTAMP);
