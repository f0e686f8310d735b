"""A camera of the GStreamer RTSP server with Digest login: rtsp-server.py PORT SECONDS_BETWEEN_KEY_FRAMES"""
import sys
import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer

FPS = 10
port, seconds = sys.argv[1], int(sys.argv[2])
Gst.init(None)
if Gst.ElementFactory.find("x264enc") is None:
    sys.exit("x264enc is missing: install gstreamer1.0-plugins-ugly")

server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(port)

token = GstRtspServer.RTSPToken()
token.set_string("media.factory.role", "viewer")
auth = GstRtspServer.RTSPAuth()
auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
auth.add_digest("viewer", "secret", token)
server.set_auth(auth)

factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(
    "( videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=%d/1"
    " ! x264enc tune=zerolatency speed-preset=ultrafast key-int-max=%d option-string=scenecut=0 bitrate=500"
    " ! rtph264pay name=pay0 pt=96 )" % (FPS, FPS * seconds)
)
factory.set_shared(True)
factory.set_protocols(GstRtsp.RTSPLowerTrans.TCP | GstRtsp.RTSPLowerTrans.UDP)
permissions = GstRtspServer.RTSPPermissions()
permissions.add_permission_for_role("viewer", "media.factory.access", True)
permissions.add_permission_for_role("viewer", "media.factory.construct", True)
factory.set_permissions(permissions)
server.get_mount_points().add_factory("/camera", factory)
server.attach(None)
print("ready", flush=True)
GLib.MainLoop().run()
