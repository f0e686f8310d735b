-- Channels over which users are told what happens, what they want to be told, and the attempts to tell it.
CREATE TYPE "ChannelKind" AS ENUM ('email', 'push');

CREATE TYPE "ChannelStatus" AS ENUM ('unconfirmed', 'enabled', 'disabled');

CREATE TYPE "NotificationKind" AS ENUM ('alert_triggered', 'device_offline', 'device_online', 'analysis_error', 'quota_warning', 'quota_exceeded', 'confirmation', 'test', 'report');

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

CREATE UNIQUE INDEX "NotificationChannel_userId_addressHash_key" ON "NotificationChannel"("userId", "addressHash");

CREATE INDEX "NotificationChannel_userId_createdAt_id_idx" ON "NotificationChannel"("userId", "createdAt" DESC, "id" DESC);

CREATE INDEX "NotificationSubscription_userId_createdAt_id_idx" ON "NotificationSubscription"("userId", "createdAt" DESC, "id" DESC);

CREATE INDEX "NotificationSubscription_channelId_idx" ON "NotificationSubscription"("channelId");

CREATE UNIQUE INDEX "Notification_messageId_attemptNumber_key" ON "Notification"("messageId", "attemptNumber");

CREATE INDEX "Notification_userId_createdAt_id_idx" ON "Notification"("userId", "createdAt" DESC, "id" DESC);

CREATE INDEX "Notification_channelId_idx" ON "Notification"("channelId");

CREATE INDEX "Notification_subscriptionId_idx" ON "Notification"("subscriptionId");

CREATE INDEX "Notification_createdAt_idx" ON "Notification" USING BRIN ("createdAt");

-- What waits, by receiver: claims read nothing else.
CREATE INDEX "Notification_waiting_idx" ON "Notification"("channelKind", "channelId", "dueAt") WHERE "status" = 'pending';

ALTER TABLE "NotificationChannel" ADD CONSTRAINT "NotificationChannel_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "NotificationSubscription" ADD CONSTRAINT "NotificationSubscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "NotificationSubscription" ADD CONSTRAINT "NotificationSubscription_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "NotificationChannel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Notification" ADD CONSTRAINT "Notification_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Notification" ADD CONSTRAINT "Notification_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "NotificationChannel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "Notification" ADD CONSTRAINT "Notification_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "NotificationSubscription"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Events after this place of the event stream are told; what happened before the upgrade is not.
INSERT INTO "Setting" ("key", "value", "updatedAt")
SELECT 'notificationsAfter', to_jsonb(coalesce(max("sequence"), 0)), CURRENT_TIMESTAMP FROM "Event"
ON CONFLICT ("key") DO NOTHING;
