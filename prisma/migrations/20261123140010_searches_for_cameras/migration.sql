-- Searches for cameras in a network: the API asks, a node answers.
CREATE TYPE "DiscoveryStatus" AS ENUM ('pending', 'searching', 'completed', 'failed');

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

-- At most one search under way per user.
CREATE UNIQUE INDEX "DiscoveryRequest_underWay" ON "DiscoveryRequest"("userId") WHERE status IN ('pending', 'searching');
CREATE INDEX "DiscoveryRequest_userId_idx" ON "DiscoveryRequest"("userId");
CREATE INDEX "DiscoveryRequest_createdAt_idx" ON "DiscoveryRequest"("createdAt");

ALTER TABLE "DiscoveryRequest" ADD CONSTRAINT "DiscoveryRequest_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
