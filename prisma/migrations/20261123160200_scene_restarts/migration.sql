-- Changes of scenes whose analysis is running: stop the run, change the scene, start again.
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

CREATE INDEX "SceneRestart_userId_idx" ON "SceneRestart"("userId");

CREATE INDEX "SceneRestart_dueAt_idx" ON "SceneRestart"("dueAt");

ALTER TABLE "SceneRestart" ADD CONSTRAINT "SceneRestart_sceneId_fkey" FOREIGN KEY ("sceneId") REFERENCES "Scene"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "SceneRestart" ADD CONSTRAINT "SceneRestart_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;
