-- Slices of analysis seconds a run has paid: part of each slice's key.
ALTER TABLE "AnalysisTask" ADD COLUMN "paidSlices" INTEGER NOT NULL DEFAULT 0;

-- Whose runs a node held, and who of them was told that it is offline.
ALTER TABLE "NodeNotice" ADD COLUMN "heldAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
                         ALTER COLUMN "offlineAt" DROP NOT NULL;
