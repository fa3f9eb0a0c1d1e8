# The chaser brakes from 1 s to 2 s by its engine: a commanded load. Its initial state comes from here, with units.
exec(open("RUN_meet/input.py").read())

chaser = vehicles.fender.body[1]
chaser.use_state = 1
chaser.position = trick.attach_units("ft", [25.0, 1.0, 0.0])
chaser.velocity = trick.attach_units("ft/s", [-6.0, 0.0, 0.0])

vehicles.fender.command[0].name = "loads.engine.active"
trick.add_read(1.0, "vehicles.fender.command[0].value[0] = 1.0")
trick.add_read(2.0, "vehicles.fender.command[0].value[0] = 0.0")

# What the sim does at the first touch
touch = trick.new_event("touch")
touch.set_cycle(0.01)
touch.condition(0, "vehicles.fender.begin_count > 0")
touch.action(0, "print('touch at', vehicles.fender.event[0].time, 's'); trick.checkpoint('chkpnt_touch')")
touch.activate()
trick.add_event(touch)

# For RUN_resume to compare with
trick.add_read(9.99, "print('end', vehicles.fender.body[1].position, vehicles.fender.event_count)")
