# Two vehicles meet, integrated by Fender. Run in SIM_scheduled: ./S_main_*.exe RUN_meet/input.py
exec(open("../SIM_vehicles/Modified_data/vehicles.dr").read())

vehicles.fender.scenario = "../SIM_vehicles/vehicles.yaml"

trick.stop(10.0)
