"""MuJoCo's own bindings, for scripts/measure_python. usage: costs_mujoco.py MODEL.xml step|advance COUNT"""
import sys

import mujoco

model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
if sys.argv[2] == "step":
    for _ in range(int(sys.argv[3])):
        mujoco.mj_step(model, data)
else:
    for _ in range(int(sys.argv[3])):
        mujoco.mj_step(model, data, 1000)
print(data.qpos[2])
