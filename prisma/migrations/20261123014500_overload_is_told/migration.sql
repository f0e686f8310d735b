-- A node that does not keep up with its cameras says so, and so do cameras whose numbers are doubtful.
ALTER TYPE "EventType" ADD VALUE 'device_warning' BEFORE 'node_offline';
ALTER TYPE "EventType" ADD VALUE 'node_warning' BEFORE 'quota_warning';

ALTER TABLE "ComputeNode" ADD COLUMN "overloadedSince" TIMESTAMPTZ(3);
ALTER TABLE "NodeNotice" ADD COLUMN "overloadedAt" TIMESTAMPTZ(3);
