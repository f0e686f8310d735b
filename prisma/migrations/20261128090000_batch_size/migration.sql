-- AlterTable
ALTER TABLE "ComputeNode" ADD COLUMN     "batchSize" INTEGER NOT NULL DEFAULT 1;
