-- Reports that are sent by e-mail every day or week, and what was sent.
CREATE TYPE "ReportPeriod" AS ENUM ('day', 'week');

CREATE TYPE "ReportStatus" AS ENUM ('sent', 'skipped');

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

    CONSTRAINT "ReportSubscriptionChannel_pkey" PRIMARY KEY ("subscriptionId", "channelId")
);

CREATE TABLE "SentReport" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "subscriptionId" UUID NOT NULL,
    "period" "ReportPeriod" NOT NULL,
    "date" DATE NOT NULL,
    "status" "ReportStatus" NOT NULL,
    "reason" VARCHAR(200),
    "dueAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SentReport_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "ReportSubscription_userId_createdAt_id_idx" ON "ReportSubscription"("userId", "createdAt" DESC, "id" DESC);

CREATE INDEX "ReportSubscription_siteId_idx" ON "ReportSubscription"("siteId");

CREATE INDEX "ReportSubscription_nextDueAt_idx" ON "ReportSubscription"("nextDueAt");

CREATE INDEX "ReportSubscriptionChannel_channelId_idx" ON "ReportSubscriptionChannel"("channelId");

-- A report of a period is sent once.
CREATE UNIQUE INDEX "SentReport_subscriptionId_period_date_key" ON "SentReport"("subscriptionId", "period", "date");

CREATE INDEX "SentReport_createdAt_idx" ON "SentReport" USING BRIN ("createdAt");

ALTER TABLE "ReportSubscription" ADD CONSTRAINT "ReportSubscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "ReportSubscription" ADD CONSTRAINT "ReportSubscription_siteId_fkey" FOREIGN KEY ("siteId") REFERENCES "Site"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "ReportSubscriptionChannel" ADD CONSTRAINT "ReportSubscriptionChannel_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "ReportSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "ReportSubscriptionChannel" ADD CONSTRAINT "ReportSubscriptionChannel_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "NotificationChannel"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "SentReport" ADD CONSTRAINT "SentReport_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "ReportSubscription"("id") ON DELETE CASCADE ON UPDATE CASCADE;
